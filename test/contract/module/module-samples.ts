import type { Mode, Project } from '../../../src/kit/index.js';
import type { Scoping } from '../../../src/kit/internal.js';
import type { Client } from '../../harness/client.js';
import type { Workspace } from '../../harness/workspace.js';

/** The organization, project and mode for a sample or a resource. */
export interface SampleContext {
  workspace: Workspace;
  project: Project;
  mode: Mode;
  /** A client with an organization-wide key of this mode that has all scopes of the module and is bound to the owner. */
  client: Client;
  /** Returns a new short text at each call, for fields that must be unique. */
  unique(): string;
}

/**
 * The file of a route with `upload`, of one of its media types that are text.
 *
 * @example
 * ```ts
 * import { SampleFile, type Sample } from 'work-suite/testing';
 *
 * export const importNotes: Sample = ({ unique }) => ({ dry_run: false, body: new SampleFile('text/csv', `title\n${unique()}\n`) });
 * ```
 */
export class SampleFile {
  constructor(
    readonly contentType: string,
    readonly text: string,
  ) {}
}

/**
 * The input of a valid call: body fields and query parameters in one object, without the ids of the path. It is called for each call,
 * so use `context.unique()` for unique values. The file of an upload is its `body`, a `SampleFile`.
 */
export type Sample = (context: SampleContext) => object | Promise<object>;

/** A resource that is identified by a path parameter. */
export interface Resource {
  /**
   * Creates one in the context, or finds one if the module cannot create any, and returns its id; `ids` are those before it in the path.
   */
  make(context: SampleContext, ids: Readonly<Record<string, string>>): string | Promise<string>;
  /**
   * Its scoping: `business` (the default) by organization, project pin and mode; `configuration` by organization and project pin;
   * `organization` by organization only.
   */
  scoping?: Scoping;
  /** PUT creates it, so no name is unknown; the resource before it in the path decides who sees it. */
  putCreates?: true;
  /** What If-Match takes for a new one, if it is not 1: another row may have the version, and be changed by what makes this one. */
  version?: number;
}

export interface DescribeModuleOptions {
  /**
   * By operation. Required if a body or query has required fields; for a PATCH it must return a change. A route for members only needs
   * one if it is a GET with a required query, or a POST whose valid call the examples of its required fields do not make; that of a POST
   * has only what they lack.
   */
  samples?: Readonly<Record<string, Sample>>;
  /**
   * By path below the module's prefix, up to the parameter: `'/projects/{id}'`. Not needed if POST on the collection
   * (`/notes` for `/notes/{id}`) creates a business resource. `'/notes/{id} reopen_note'` is for that operation only.
   */
  resources?: Readonly<Record<string, Resource>>;
  /** By operation: the scoping of what a GET shows, if that is not `business` and no resource of `resources` says so. */
  scopings?: Readonly<Record<string, Scoping>>;
  /**
   * By operation: the fields, as `variants.sku` (a file is the field `body`), whose values all projects of the organization share. They
   * are unique in the organization, for example, so a pinned key can be told that a value is taken.
   */
  sharedByProjects?: Readonly<Record<string, readonly string[]>>;
  /** Tables that keep requests as they came, with whatever ids they name. */
  requestLogs?: readonly string[];
  /** Tables whose rows jobs change some time after the call, so that a change of theirs says nothing of the next call. */
  changedByJobs?: readonly string[];
  /** By operation: the members of a GET's answer that differ between equal calls, such as the time of a report. */
  varies?: Readonly<Record<string, readonly string[]>>;
  /**
   * By the operation of a keyed route: what its route for members needs besides its own permission, because the call reaches what
   * that does not include.
   */
  alsoNeeds?: Readonly<Record<string, readonly string[]>>;
  /** By operation: why any member may call a route for members. Look-ups need no reason. */
  anyMember?: Readonly<Record<string, string>>;
  /**
   * By operation: why a scope (`:read`) or a permission (`.view`) to read is enough for a POST, PUT, PATCH or DELETE, such as a search
   * that changes nothing.
   */
  readersMay?: Readonly<Record<string, string>>;
  /**
   * What no sample reaches, where a leak passes the checks: a list that never shows a row (`list_lots`), a filter that leaves none
   * (`list_items barcode`), a reference of a body (`create_order lines.item_id`), a state of a row (`order.status returned`).
   */
  unreached?: readonly string[];
}
