/** VitePress as it comes, but for what is said here. */
import { pagesOf, parts, readPages, titleOf } from "../pages.mjs";

const pages = readPages();
const linkOf = (place) => `/${place.replace(/(index)?\.md$/, "")}`;
const itemsOf = (part) =>
  pagesOf(pages, part).map((place) => ({ text: titleOf(pages.get(place)), link: linkOf(place) }));

export default {
  title: "agentform",
  description:
    "Plan and apply for fleets of AI agents: policies, tool sets, credentials and agents as YAML in git.",
  srcDir: "pages",
  outDir: "dist",
  cacheDir: "node_modules/.vitepress",
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // As code hosts make them of headings, which the links of the documents name.
    anchor: {
      slugify: (title) =>
        title
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
          .replaceAll(" ", "-"),
    },
    // Code in a line is no template of Vue, whatever braces it has.
    config: ({ renderer: { rules } }) => {
      const { code_inline: render } = rules;
      rules.code_inline = (tokens, at, ...rest) => {
        tokens[at].attrSet("v-pre", "");
        return render(tokens, at, ...rest);
      };
    },
  },
  transformHead: ({ page }) => [
    ["link", { rel: "alternate", type: "text/markdown", href: page.replace(/^.*\//, "") }],
  ],
  themeConfig: {
    nav: [
      { text: "Contents", link: "/contents" },
      { text: "A plan", link: "/plan.html", target: "_self" },
    ],
    sidebar: Object.entries(parts).map(([part, text]) => ({
      text,
      items: itemsOf(part),
    })),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch: {
          // What is a function here is sent to the reader's browser as its text, and names nothing outside of itself.
          options: {
            // A code is a word of its own beside the words in it, and no word begins as it does.
            tokenize: (text) => [
              ...text.split(/[\n\r\p{Z}\p{P}]+/u),
              ...(text.match(/[a-z]+(?:-[a-z]+)+/g) ?? []).map((code) => `=${code}`),
            ],
            processTerm: (term) => {
              const common =
                "a an and are as at be by can do does for from how i in into is it its me my of on or our so that the their them then there they this to was we were what when where which who will with you your";
              const word = term.toLowerCase();
              if (common.split(" ").includes(word)) return null;
              return word.length > 4 && !word.startsWith("=") ? word.replace(/(?:ing|ed|es|e|s)$/, "") : word;
            },
          },
          searchOptions: {
            fuzzy: false,
            boost: { title: 4 },
            // A code comes first where it is asked for by its name; everywhere else, pages for what one wants to do.
            boostDocument: (id, term, { title }) => {
              if (id.includes("/codes/")) return term === `=${title}` ? 20 : 0.1;
              return id.includes("/project/") ? 0.2 : id.includes("/reference/") ? 0.5 : 1;
            },
          },
        },
      },
    },
  },
};
