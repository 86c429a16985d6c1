/** The page's script and style as `scripts/build-page.mjs` makes them. */
declare module "virtual:plan-page" {
  export const script: string;
  export const style: string;
}
