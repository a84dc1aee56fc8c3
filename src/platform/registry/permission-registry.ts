import type { Ctx, DefaultRole, PermissionDefinitions } from '../../kit/index.js';
import { DEFAULT_ROLES } from '../../kit/internal.js';
import { suggestion } from './near-matches.js';

const PERMISSION = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;

/** The format of fields that name permissions: the OpenAPI documents list those that manifests declare. */
export const PERMISSION_FORMAT = 'permission';

/** A manifest's permissions, with the title of the manifest; or those of a part of the platform. */
export interface PermissionSource {
  /** Names the source in messages. */
  name: string;
  /** The heading of permissions that declare no group. */
  title: string;
  permissions?: PermissionDefinitions;
}

export interface DeclaredPermission {
  readonly name: string;
  readonly title: string;
  readonly group: string;
}

/**
 * All permissions that exist. Roles keep the permissions of a module that was taken out of the list of modules, but nothing shows or
 * checks them: everything that reads a role's permissions narrows them by `declared`.
 */
export class PermissionRegistry {
  /** In the order of their declaration. */
  readonly all: readonly DeclaredPermission[];
  /** The permissions of the default roles. */
  readonly defaults: ReadonlyMap<DefaultRole, readonly string[]>;
  private readonly byName: ReadonlyMap<string, DeclaredPermission>;
  private readonly strong: ReadonlySet<string>;

  constructor(sources: readonly PermissionSource[]) {
    const entries = sources.flatMap(({ title, permissions = {} }) =>
      Object.entries(permissions).map(([name, definition]) => ({ name, group: title, ...definition })),
    );
    this.all = entries.map(({ name, title, group }) => Object.freeze({ name, title, group }));
    this.byName = new Map(this.all.map((permission) => [permission.name, permission]));
    this.strong = new Set(entries.filter(({ needsSecondFactor }) => needsSecondFactor).map(({ name }) => name));
    this.defaults = new Map(
      DEFAULT_ROLES.map((role) => [role, entries.filter(({ roles }) => role === 'owner' || roles.includes(role)).map(({ name }) => name)]),
    );
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** What a permission permits; empty if it is not declared. */
  titleOf(name: string): string {
    return this.byName.get(name)?.title ?? '';
  }

  /** Those of a role's permissions that exist. */
  declared(held: readonly string[]): string[] {
    return held.filter((name) => this.byName.has(name));
  }

  /** Whether the caller holds every permission of a role, so that managing its members cannot extend the caller's access. */
  areHeldBy(ctx: Ctx, permissions: readonly string[]): boolean {
    return ctx.actor.type === 'system' || this.declared(permissions).every((name) => ctx.permissions.has(name));
  }

  /** Whether an organization that requires a second factor requires it of a role: of those that manage keys, members or roles. */
  needSecondFactor(permissions: readonly string[]): boolean {
    return permissions.some((name) => this.strong.has(name));
  }

  /** Completes a sentence about an undeclared permission, for authors. */
  undeclared(name: string): string {
    return `the permission ${name}, which no manifest declares${this.suggestionFor(name)}`;
  }

  /** `; did you mean ...?` with the permissions that are spelled alike; empty if there are none. */
  suggestionFor(name: string): string {
    return suggestion(
      name,
      this.all.map((permission) => permission.name),
    );
  }
}

export function permissionProblems(sources: readonly PermissionSource[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const { name: source, permissions = {} } of sources) {
    for (const [name, { title, roles }] of Object.entries(permissions)) {
      const other = seen.get(name);
      if (other) problems.push(`the permission ${name} is declared by ${other} and by ${source}: choose another name`);
      seen.set(name, source);
      if (!PERMISSION.test(name))
        problems.push(`${source}: the permission "${name}" must be lower-case words with dots, for example notes.note.manage`);
      if (!title.trim()) problems.push(`${source}: the permission ${name} has no title`);
      for (const role of roles)
        if (!DEFAULT_ROLES.includes(role))
          problems.push(`${source}: the permission ${name} names the role ${String(role)}, which is none of ${DEFAULT_ROLES.join(', ')}`);
    }
  }
  return problems;
}
