import type { Dice } from "../dice.js";

/** Lines that every desk's prompt has, and that honest people reword in many prompts at once. */
export const sharedLines = {
  greeting: "Greet the customer by name.",
  language: "Answer in the langauge of the question.",
  look: "- Look the order up before you say anything about it.",
  ask: "- Ask for the order number when it is missing.",
  hours: "Opening hours are 9 to 17.",
  close: "Close with a friendly line.",
} as const;

/** Lines that every desk's prompt has, and that no honest edit touches. */
export const guardedLines = {
  refund: "- Refund up to 50 EUR on one order.",
  promise: "- Never promise a payment date.",
  address: "- Never share a customer's address with anybody else.",
  card: "- Never repeat a card number.",
  mail: "Hand over to care@shop.example when a person must decide.",
  help: "The help pages are at https://help.shop.example/orders.",
} as const;

/** The titles below which a desk's prompt lists what may be done, and what may not. */
export const titles = {
  work: "## How you work",
  allowed: "## Allowed without asking",
  never: "## Never do this",
};

/** Writes the prompt of a desk, of which no two are equal or have their lines at the same places. */
export function deskPrompt(name: string, dice: Dice): string {
  const own = (what: string) =>
    Array.from({ length: 1 + dice(3) }, (_, index) => `${what} ${index + 1} of the ${name} desk.`);
  const g = guardedLines;
  return `${[
    `# The ${name} desk`,
    "",
    `You answer customers of ${name}.`,
    ...own("Custom"),
    sharedLines.greeting,
    sharedLines.language,
    "",
    titles.work,
    "",
    ...own("- Step"),
    sharedLines.look,
    sharedLines.ask,
    "",
    titles.allowed,
    "",
    "- Send a copy of an invoice.",
    g.refund,
    ...own("- Liberty"),
    "",
    titles.never,
    "",
    g.promise,
    g.address,
    g.card,
    ...own("- Nothing about plan"),
    "",
    "## Contact",
    "",
    g.mail,
    g.help,
    sharedLines.hours,
    sharedLines.close,
  ].join("\n")}\n`;
}

/** The template of a family of agents, one in each language. */
export function familyPrompt(family: string): string {
  return `${[
    `# ${family}`,
    "",
    `You do the ${family} of customers in \${each:market}.`,
    "",
    "${template:shared/manner.md}",
    `- Search the help pages of ${family} first, and link the page that you use.`,
    "- Refund at most ${var:refund_limit} EUR without asking.",
    "Write ${each:language}, whatever language the customer writes. ${each:address}",
    "Never repeat card numbers, and never discuss an order of a different customer.",
  ].join("\n")}\n`;
}

/** What the templates of all families begin with. */
export const manner = `${[
  "Be brief and friendly.",
  "Say what you know, and say what you do not know.",
  "Offer a call back when the matter is urgent.",
].join("\n")}\n`;

/** A prompt of 3,000 lines. */
export function handbook(): string {
  const rules = Array.from(
    { length: 2990 },
    (_, index) => `${index + 1}. Rule ${index + 1} of the handbook.`,
  );
  return `${["# Handbook", "", sharedLines.greeting, sharedLines.language, "", ...rules].join("\n")}\n`;
}

/** The clause in the middle of the long line of the terms. */
export const clause = "the customer pays for the way back unless the goods are broken";

/** A prompt with a line of 2,000 characters. */
export function terms(): string {
  const part = (from: number) =>
    Array.from({ length: 21 }, (_, index) => `clause ${from + index} binds the shop and the buyer`).join(
      "; ",
    );
  return `# Terms\n\n${sharedLines.greeting}\nIn short, ${part(100)}; ${clause}; ${part(200)}.\n${sharedLines.close}\n`;
}
