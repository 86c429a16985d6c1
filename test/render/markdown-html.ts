import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Renders Markdown as GitHub and GitLab do before they look for mentions, issues and formulas. */
export function htmlOf(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** Gives the text that stands outside of code, where code hosts look for mentions, issues and formulas. */
export function textOutsideCode(html: string): string {
  const outside = html.replace(/<pre>.*?<\/pre>/gs, " ").replace(/<code>.*?<\/code>/gs, " ");
  return textOf(outside.replace(/<!--.*?-->/gs, " "));
}

/** Gives the text of a piece of HTML. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** Gives the tags of a piece of HTML, as they are written. */
export function tagsOf(html: string): string[] {
  return [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
}
