import type { Ctx } from '../callers/ctx.js';
import type { FieldSpec } from '../fields/field-specification.js';
import type { ListQuery, Page } from '../fields/list-query.js';

/** A field that administrators added to a resource. */
export interface CustomFieldRow {
  id: string;
  resource: string;
  /** Null if the resource has it in all projects. */
  project_id: string | null;
  key: string;
  label: string;
  description: string | null;
  type: string;
  options: string[];
  currency: string | null;
  required: boolean;
  unique: boolean;
  filterable: boolean;
  default_value: unknown;
  group: string | null;
  position: number;
  deleted_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** What a list of custom fields is restricted to. */
export interface CustomFieldsWanted {
  resources?: readonly string[];
  /** Those of all projects, and of this one. */
  projectId?: string;
  deleted?: boolean;
}

/** Reads the custom fields of the caller's organization. */
export abstract class CustomFieldCatalog {
  /** The columns of a file for the custom fields of a project's records: `custom_fields.<key>`, for `readImport`. */
  abstract columns(ctx: Ctx, resource: string, projectId: string): Promise<ReadonlyMap<string, FieldSpec>>;
  /** In their order. */
  abstract page(ctx: Ctx, query: ListQuery, wanted: CustomFieldsWanted): Promise<Page<CustomFieldRow & { index: string }>>;
}
