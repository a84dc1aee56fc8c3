import type { SignedIn } from '../../platform/people/sessions/session-reader.js';
import { NAV_GROUPS, type NavGroup, type PageDefinition } from './page-definition.js';
import { isAllowed, permissionsOf } from './required.js';
import type { PermissionRegistry } from '../../platform/registry/permission-registry.js';
import { CONSOLE } from './visit.js';

/** Throws if a page is none, has the path of another, or requires a permission that no manifest declares: nobody could open it. */
export function checkPages(pages: readonly PageDefinition[], permissions: PermissionRegistry): void {
  const problems = pages.flatMap(({ path, permission = null, actions = {}, show }, index) => [
    ...(typeof show === 'function' ? [] : [`the page ${CONSOLE}${path} is not made with definePage`]),
    ...(pages.findIndex((page) => page.path === path) < index ? [`two pages are at ${CONSOLE}${path}`] : []),
    ...[permission, ...Object.values(actions).map((action) => action.permission ?? null)]
      .flatMap(permissionsOf)
      .filter((name) => !permissions.has(name))
      .map((name) => `the page ${CONSOLE}${path} requires ${permissions.undeclared(name)}`),
  ]);
  if (problems.length > 0) throw new Error(`Some pages are declared incorrectly:\n- ${problems.join('\n- ')}`);
}

/** All pages of the console. */
export class PageTable {
  private readonly patterns: readonly { pattern: RegExp; page: PageDefinition }[];

  constructor(readonly pages: readonly PageDefinition[]) {
    this.patterns = pages.map((page) => ({ page, pattern: new RegExp(`^${page.path.replace(/:\w+/g, '[^/]+')}$`) }));
  }

  /** By a path below `/console`; a page without parameters precedes one with. */
  at(path: string): PageDefinition | undefined {
    return this.pages.find((page) => page.path === path) ?? this.patterns.find(({ pattern }) => pattern.test(path))?.page;
  }

  /** The first page of the navigation below an address that has no page. */
  firstBelow(path: string, visitor: SignedIn): PageDefinition | undefined {
    return this.pages.find((page) => page.nav !== undefined && page.path.startsWith(`${path}/`) && isAllowed(visitor, page.permission));
  }

  /** The navigation of a member: the pages that their role permits, except those that are no longer needed. */
  navigationOf({
    visitor,
    completed,
  }: {
    visitor: SignedIn;
    completed: ReadonlySet<unknown>;
  }): { group: NavGroup; pages: PageDefinition[] }[] {
    return NAV_GROUPS.map((group) => ({
      group,
      pages: this.pages.filter((page) => page.nav === group && isAllowed(visitor, page.permission) && !completed.has(page)),
    })).filter(({ pages }) => pages.length > 0);
  }

  /** The navigation entry of a page. */
  entryOf(path: string): PageDefinition | undefined {
    const entries = this.pages.filter(
      (page) => page.nav !== undefined && (path === page.path || (page.path !== '' && path.startsWith(`${page.path}/`))),
    );
    return entries.sort((one, other) => other.path.length - one.path.length).at(0);
  }
}
