/** A page of the console, made with `definePage` of `src/console/index.ts`. */
export interface ConsolePage {
  /** Below `/console`, with parameters as `:id`. */
  readonly path: string;
  /** Names the page in the navigation and in the tab of the browser. */
  readonly title: string;
}
