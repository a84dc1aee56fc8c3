import type { Mode, Project } from '../../src/kit/index.js';
import type { Client } from './client.js';
import type { Workspace } from './workspace.js';

/** The organization, project and mode for which a sample or a resource is wanted. */
export interface SampleContext {
  workspace: Workspace;
  project: Project;
  mode: Mode;
  /** Calls with an organization-wide key of this mode that holds all scopes of the module and is bound to the owner. */
  client: Client;
  /** A short text that was never given out before, for fields that must be unique. */
  unique(): string;
}

/**
 * What a valid call sends: body fields and query parameters together, under their names, without the ids of the path.
 * Called for each call anew, so whatever must be unique is made with `context.unique()`.
 */
export type Sample = (context: SampleContext) => Record<string, unknown> | Promise<Record<string, unknown>>;

/** A resource that a path's parameter names. */
export interface Resource {
  /**
   * Makes one in the context, or finds one where the module cannot make any, and returns its id; `ids` are those before it in
   * the path.
   */
  make(context: SampleContext, ids: Readonly<Record<string, string>>): string | Promise<string>;
  /**
   * What hides it, in the words of the kit: `business` (the default) organization, project pin and mode; `configuration`
   * organization and project pin; `organization` the organization alone.
   */
  scoping?: 'business' | 'configuration' | 'organization';
}

export interface DescribeModuleOptions {
  /** By operation. Needed where a body or query has required fields; what it gives for a PATCH is a real change. */
  samples?: Readonly<Record<string, Sample>>;
  /**
   * By path below the module's prefix, up to the parameter: `'/projects/{id}'`. Not needed where POST on the collection
   * (`/tasks` for `/tasks/{id}`) makes a business resource.
   */
  resources?: Readonly<Record<string, Resource>>;
}
