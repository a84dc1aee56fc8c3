import type { PageDefinition } from './frame/page-definition.js';
import { accountPage } from './account/account.page.js';
import { secondFactorPage } from './account/second-factor.page.js';
import { signOutPage } from './account/sign-out.page.js';
import { findPage } from './find/find.page.js';
import { keysPage } from './keys/keys.page.js';

/** THE list of pages, one line each. Its order is the order of the navigation within each group. */
// prettier-ignore
export const PAGES: readonly PageDefinition[] = [
  keysPage,
  accountPage,
  secondFactorPage,
  findPage,
  signOutPage,
];
