const mostRead = 10_000;

/** Gives the title of an HTML page, or else its first words; undefined for any other text. */
export function readHtml(text: string): string | undefined {
  const page = text.slice(0, mostRead).trimStart();
  if (!/^(<!doctype html|<html|<head|<body)\b/i.test(page)) return undefined;
  const title = wordsOf(/<title[^>]*>([^<]*)/i.exec(page)?.[1] ?? "");
  const said = title === "" ? wordsOf(page.replaceAll(/<(script|style)\b[^]*?(<\/\1>|$)/gi, " ")) : title;
  return said === "" ? "an HTML page" : `an HTML page: ${said}`;
}

function wordsOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]*(>|$)/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
