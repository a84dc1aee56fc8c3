import type { PageDefinition } from './frame/page-definition.js';
import { signOutPage } from './account/sign-out.page.js';
import { findPage } from './find/find.page.js';
import { keysPage } from './keys/keys.page.js';

/** THE list of pages, one line each. Its order is the order of the navigation within each group. */
// prettier-ignore
export const PAGES: readonly PageDefinition[] = [
  keysPage,
  findPage,
  signOutPage,
];
