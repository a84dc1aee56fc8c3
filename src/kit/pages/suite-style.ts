import { stylesheet } from './stylesheets.js';
import { TYPEFACE_RULES } from './typefaces.js';

/** The look of the suite's own pages, beside the style of every page: the console, the documentation and what leads to them. */
export const SUITE_STYLE = stylesheet(
  'suite',
  `${TYPEFACE_RULES}
.suite { --hue: 264;
  --sans: "Inter Variable", ui-sans-serif, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", system-ui,
  sans-serif;
  --mono: "JetBrains Mono Variable", ui-monospace, monospace; --serif: var(--sans);
  --ground: oklch(98.3% .003 264); --ink: oklch(21% .018 264); --soft: oklch(46% .018 264); --line: oklch(91.5% .007 264);
  --edge: oklch(60% .015 264); --tint: oklch(96% .014 264); --accent: oklch(48% .19 264); --deep: oklch(40% .17 264);
  --code-ground: oklch(21.5% .02 264); --code-ink: oklch(92% .01 264); --code-soft: oklch(74% .02 264); --code-line: oklch(32% .02 264); }
@media (prefers-color-scheme: dark) {
  .suite { --ground: oklch(16.5% .008 264); --card: oklch(19% .009 264); --ink: oklch(94% .006 264); --soft: oklch(73% .013 264);
    --line: oklch(28.5% .012 264); --edge: oklch(56% .016 264); --tint: oklch(25.5% .03 264); --accent: oklch(77% .12 264);
    --deep: oklch(86% .08 264); --on-accent: oklch(18% .04 264); --code-ground: oklch(15% .01 264); --code-line: oklch(27% .014 264); }
}
.icon { flex: none; width: 1.125em; height: 1.125em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round;
  stroke-linejoin: round; vertical-align: -.15em; }
`,
);
