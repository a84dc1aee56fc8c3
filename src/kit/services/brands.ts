import type { Ctx } from '../callers/ctx.js';

/** How an organization looks. */
export interface PageBrand {
  /** `#rrggbb`. */
  color: string | null;
  /** The path of its logo on this server. */
  logo: string | null;
}

/** How the organization of a caller looks on its pages, whichever module they belong to. */
export abstract class Brands {
  abstract of(ctx: Ctx): Promise<PageBrand>;
}
