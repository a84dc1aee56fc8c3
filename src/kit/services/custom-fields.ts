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
  active: boolean;
  deleted_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** The part of a field that reads its values. */
export type CustomFieldDefinition = Readonly<Pick<CustomFieldRow, 'key' | 'label' | 'type' | 'currency' | 'required'>> & {
  readonly options: readonly string[];
};

/** What a list of custom fields is restricted to. */
export interface CustomFieldsWanted {
  resources?: readonly string[];
  /** Those of all projects, and of this one. */
  projectId?: string;
  deleted?: boolean;
}

/** A field that is to be added. */
export type NewCustomField = Pick<CustomFieldRow, 'resource' | 'project_id' | 'key' | 'label' | 'type'> &
  Partial<Pick<CustomFieldRow, 'options' | 'required'>>;

export type ChangedCustomField = Partial<Pick<CustomFieldRow, 'label' | 'options' | 'required' | 'active'>>;

/**
 * The custom fields of the caller's organization: for modules with look-ups of their own.
 *
 * @example
 * ```ts
 * import type { Ctx, CustomFieldCatalog } from 'work-suite/kit';
 *
 * export const labels = async (catalog: CustomFieldCatalog, ctx: Ctx, projectId: string) =>
 *   (await catalog.definitions(ctx, 'trip', projectId)).map(({ label }) => label);
 * ```
 */
export abstract class CustomFieldCatalog {
  /** Those that records of a project can have, or with null of any project; from memory. */
  abstract definitions(ctx: Ctx, resource: string, projectId: string | null): Promise<readonly CustomFieldDefinition[]>;
  abstract get(ctx: Ctx, id: string): Promise<CustomFieldRow>;
  abstract create(ctx: Ctx, field: NewCustomField): Promise<CustomFieldRow>;
  abstract update(ctx: Ctx, id: string, changes: ChangedCustomField): Promise<CustomFieldRow>;
  /** Refused if records have values, unless that is confirmed. */
  abstract delete(ctx: Ctx, id: string, isConfirmed: boolean): Promise<void>;
  /** The columns of a file for the custom fields of a project's records: `custom_fields.<key>`, for `readImport`. */
  abstract columns(ctx: Ctx, resource: string, projectId: string): Promise<ReadonlyMap<string, FieldSpec>>;
  /** In their order. */
  abstract page(ctx: Ctx, query: ListQuery, wanted: CustomFieldsWanted): Promise<Page<CustomFieldRow & { index: string }>>;
}
