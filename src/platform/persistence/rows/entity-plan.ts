import type { Type } from '@nestjs/common';
import type { DataSource, EntityMetadata } from 'typeorm';
import type { BaseEntity } from '../../../kit/index.js';
import { customFieldResource, isAudited, scopingOf, type Scoping } from '../../../kit/internal.js';

/** The metadata of an entity that the store needs, read once from TypeORM. */
export interface EntityPlan<E extends BaseEntity = BaseEntity> {
  entity: Type<E>;
  prototype: E;
  name: string;
  table: string;
  scoping: Scoping;
  /** Whether changes of its rows are entries of the audit log. */
  audited: boolean;
  /** Columns that reads select, quoted and comma-separated, of the alias `t`. */
  select: string;
  /** The same with the virtual columns, which are subqueries. */
  selectAll: string;
  /**
   * The same without virtual columns that are declared with `select: false`: names of the rows to which ids lead. They are for answers
   * only, so that no write reads them.
   */
  selectForWrites: string;
  /** Whether PostgreSQL needs no time for a row by its id. Names are found by id as well. */
  isShort: boolean;
  /** The names of the virtual columns. Only reads of the store have them: a lock or a write would return what was true before it. */
  virtual: readonly string[];
  columns: ReadonlyMap<string, ColumnPlan>;
  /** Columns by which an index orders the rows of an organization and mode, followed by the id. */
  ordered: ReadonlySet<string>;
  /** The resource with the custom fields of the rows; null if they have none. */
  customFields: string | null;
  /** The texts of INSERT by the names of the given columns. */
  inserts: Map<string, string>;
}

interface ColumnPlan {
  type: string;
  nullable: boolean;
  json: boolean;
  /** Whether reads select it. */
  selected: boolean;
}

const plans = new WeakMap<DataSource, Map<Type, EntityPlan>>();

export function planOf<E extends BaseEntity>(dataSource: DataSource, entity: Type<E>): EntityPlan<E> {
  let known = plans.get(dataSource);
  if (!known) plans.set(dataSource, (known = new Map()));
  let plan = known.get(entity);
  if (!plan) known.set(entity, (plan = buildPlan(dataSource, entity)));
  return plan as EntityPlan<E>;
}

function buildPlan(dataSource: DataSource, entity: Type<BaseEntity>): EntityPlan {
  if (!dataSource.hasMetadata(entity)) throw new Error(`No module lists the entity ${entity.name}: add it to entities in its manifest.`);
  const metadata = dataSource.getMetadata(entity);
  const scoping = scopingOf(entity);
  if (!scoping) throw new Error(`${entity.name} has no @Scoped, so the store cannot restrict it to a caller.`);
  const columns = new Map<string, ColumnPlan>();
  const stored = metadata.columns.filter((column) => !column.isVirtualProperty);
  for (const column of stored) {
    if (column.propertyName !== column.databaseName) {
      throw new Error(`${entity.name}.${column.propertyName} must be named like its column "${column.databaseName}".`);
    }
    const type = typeof column.type === 'string' ? column.type : column.type.name.toLowerCase();
    columns.set(column.propertyName, {
      type,
      nullable: column.isNullable,
      json: type === 'jsonb' || type === 'json',
      selected: column.isSelect,
    });
  }
  const select = stored
    .filter((column) => column.isSelect)
    .map((column) => `t."${column.databaseName}"`)
    .join(', ');
  const virtual = metadata.columns.filter((column) => column.isVirtualProperty);
  const subqueries = (of: typeof virtual) => of.map((column) => `, (${column.query?.('t')}) AS "${column.propertyName}"`).join('');
  const computed = virtual.filter((column) => column.isSelect);
  return {
    entity,
    prototype: entity.prototype as BaseEntity,
    name: metadata.name,
    table: `"${metadata.tableName}"`,
    scoping,
    audited: isAudited(entity),
    select,
    selectAll: select + subqueries(virtual),
    selectForWrites: select + subqueries(computed),
    isShort: computed.length === 0,
    virtual: virtual.map(({ propertyName }) => propertyName),
    columns,
    ordered: new Set(metadata.indices.flatMap((index) => orderedBy(index))),
    customFields: customFieldResource(entity),
    inserts: new Map(),
  };
}

function orderedBy({ columns, where }: EntityMetadata['indices'][number]): string[] {
  const [organization, mode, order, id] = columns.map(({ propertyName }) => propertyName);
  return !where && organization === 'organization_id' && mode === 'mode' && id === 'id' ? [order] : [];
}

/** Turns a row into an entity in place; it already has the columns under the entity's property names. */
export function hydrate<E extends BaseEntity>(plan: EntityPlan<E>, row: object): E {
  // copying a row takes as long as reading it
  return Object.setPrototypeOf(row, plan.prototype) as E;
}
