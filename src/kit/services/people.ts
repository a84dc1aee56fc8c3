import type { Type } from '@nestjs/common';
import type { Ctx } from '../callers/ctx.js';
import type { ListQuery, Page } from '../fields/list-query.js';
import type { BaseEntity } from '../store/entities.js';
import type { Condition, Tx } from '../store/store.js';

/** A project as modules see it. */
export interface Project {
  id: string;
  organization_id: string;
  /** 2 to 10 uppercase letters and digits, for example `ENG`; immutable. */
  key: string;
  name: string;
  description: string | null;
  status: 'active' | 'archived';
  timezone: string;
  /** Whether calls of organization-wide keys that name no project work in it; at most one per organization. */
  is_default: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** A member as modules see it. */
export interface Member {
  id: string;
  email: string;
  name: string;
  status: 'active' | 'inactive';
  /** The role's name: `owner`, `admin`, `developer` or `member`. */
  role: string;
  /** The permissions of the role. */
  permissions: readonly string[];
  /** The member they report to. */
  manager_id: string | null;
}

/** What a list of members can be restricted by. */
export type MemberColumns = Pick<Member, 'id' | 'email' | 'name' | 'status'>;

/** A row of a project that a call may name, by its id. */
export type NamedRow = readonly [entity: Type<BaseEntity>, id: string | null | undefined];

/**
 * The organization's projects, restricted to the key's project if it is pinned.
 *
 * @example
 * ```ts
 * import type { Ctx, Projects } from 'work-suite/kit';
 *
 * export const projectOf = async (projects: Projects, ctx: Ctx, given: string | undefined) => (await projects.resolve(ctx, given)).id;
 * ```
 */
export abstract class Projects {
  /** By its id or key. */
  abstract get(ctx: Ctx, idOrKey: string): Promise<Project>;
  abstract page(ctx: Ctx, query: ListQuery): Promise<Page<Project>>;
  /**
   * The project a write works in: the key's pin, or else `projectId`, or else that of the first row which the call names and which has a
   * project, or else the organization's default project: `resolve(ctx, project_id, [Stage, body.stage_id])`. Throws
   * `project_scope_mismatch` if `projectId` differs from the pin, `missing_fields` if there is none of these, and `validation_failed` if
   * the project is unknown or archived.
   */
  abstract resolve(ctx: Ctx, projectId: string | null | undefined, ...named: readonly NamedRow[]): Promise<Project>;
  /**
   * The project a read is restricted to: the key's pin, or else `projectId`, also if it is archived; null for all projects.
   * Throws `project_scope_mismatch` and `validation_failed` as `resolve` does.
   */
  abstract reach(ctx: Ctx, projectId: string | undefined): Promise<Project | null>;
}

/**
 * The organization's members.
 *
 * @example
 * ```ts
 * import type { Ctx, Members } from 'work-suite/kit';
 *
 * export const approvers = async (members: Members, ctx: Ctx) =>
 *   (await members.withPermission(ctx, 'fleet.trip.approve')).map(({ email }) => email);
 * ```
 */
export abstract class Members {
  abstract list(ctx: Ctx): Promise<Member[]>;
  /** One page of members. Includes inactive ones unless a condition excludes them: `{ status: 'active' }`. */
  abstract page(ctx: Ctx, query: ListQuery, ...conditions: Condition<MemberColumns>[]): Promise<Page<Member>>;
  abstract byIds(ctx: Ctx, ids: readonly string[]): Promise<Member[]>;
  /** The active member with this e-mail address; case-insensitive. */
  abstract byEmail(ctx: Ctx, email: string): Promise<Member | null>;
  /** The names of the organization's roles. */
  abstract roles(ctx: Ctx): Promise<string[]>;
  /** The names of the roles that have a permission. */
  abstract rolesWith(ctx: Ctx, permission: string): Promise<string[]>;
  /** The active members with a role; empty for an unknown role. */
  abstract withRole(ctx: Ctx, role: string): Promise<Member[]>;
  /** The active members whose role has a permission. */
  abstract withPermission(ctx: Ctx, permission: string): Promise<Member[]>;
}

/**
 * Creates what a module needs in a project. It runs once for each project: in the transaction that creates the project, or, if the module
 * is added later, at the next start.
 */
export interface ProjectSetup {
  setUpProject(tx: Tx, project: Project): Promise<void>;
}
