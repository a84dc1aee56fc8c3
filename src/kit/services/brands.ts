import type { Ctx } from '../callers/ctx.js';

/** How an organization looks. */
export interface PageBrand {
  /** `#rrggbb`. */
  color: string | null;
  /** The path of its logo on this server. */
  logo: string | null;
}

/**
 * How the organization of a caller looks on its pages, whichever module they belong to.
 *
 * @example
 * ```ts
 * import { html, page, type Brands, type Ctx } from 'work-suite/kit';
 *
 * export const tripPage = async (brands: Brands, ctx: Ctx) =>
 *   page({ title: 'Your trip', host: { name: 'Acme', purpose: 'Trips', brand: await brands.of(ctx) }, body: html`<h1>Lyon</h1>` });
 * ```
 */
export abstract class Brands {
  abstract of(ctx: Ctx): Promise<PageBrand>;
}
