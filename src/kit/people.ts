import type { Ctx } from './ctx.js';
import type { ListQuery, Page } from './list-query.js';
import type { Condition, Tx } from './store.js';

/** A project as modules see it. */
export interface Project {
  id: string;
  organization_id: string;
  /** 2 to 10 capital letters and digits, for example `ENG`; never changes. */
  key: string;
  name: string;
  description: string | null;
  status: 'active' | 'archived';
  timezone: string;
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
  /** The member they report to. */
  manager_id: string | null;
}

/** The organisation's projects, narrowed to the caller's. */
export abstract class Projects {
  abstract get(ctx: Ctx, id: string): Promise<Project>;
  abstract page(ctx: Ctx, query: ListQuery): Promise<Page<Project>>;
  /**
   * The project a call works in: the key's pin, or the one named. Naming another than the pin is
   * `project_scope_mismatch`; naming none without a pin is `missing_fields`; an unknown or archived one `validation_failed`.
   */
  abstract resolve(ctx: Ctx, projectId: string | undefined): Promise<Project>;
}

/** The organisation's members. */
export abstract class Members {
  abstract list(ctx: Ctx): Promise<Member[]>;
  /** One page of members, inactive ones too unless a condition leaves them out: `t.status = :status`. */
  abstract page(ctx: Ctx, query: ListQuery, ...conditions: Condition[]): Promise<Page<Member>>;
  abstract byIds(ctx: Ctx, ids: readonly string[]): Promise<Member[]>;
  /** The active member of this address, in whatever case it is written. */
  abstract byEmail(ctx: Ctx, email: string): Promise<Member | null>;
  /** The names of the organisation's roles. */
  abstract roles(ctx: Ctx): Promise<string[]>;
  /** The active members of a role; none for a role that is not there. */
  abstract withRole(ctx: Ctx, role: string): Promise<Member[]>;
  /** The active members whose role holds a permission. */
  abstract withPermission(ctx: Ctx, permission: string): Promise<Member[]>;
}

/** A provider that gives a new project what the module needs there; runs in the transaction that makes the project. */
export interface ProjectSetup {
  setUpProject(tx: Tx, project: Project): Promise<void>;
}
