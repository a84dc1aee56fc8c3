import type { Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Ctx } from '../../../kit/index.js';
import { asOfClock, CallerValue, OwnRows, PlacedValues, scopingOf, Sql, TableName, type Scoping } from '../../../kit/internal.js';
import { type Values } from './sql.js';

/** What restricts a statement to a caller. */
export type Caller = Pick<Ctx, 'organizationId' | 'projectId' | 'mode'>;

/** The quoted name of an entity's table. */
export type TableOf = (entity: Type) => string;

/** The names of the tables of a database. */
export function tablesOf(dataSource: DataSource): TableOf {
  return (entity) => `"${dataSource.getMetadata(entity).tableName}"`;
}

/** Entities by the aliases that they have outside of the rendered part of a statement. */
export type Aliases = Readonly<Record<string, Type>>;

/** A table of a statement. */
interface StatementTable {
  scoping: Scoping | undefined;
  /** Whether UPDATE or DELETE writes it. */
  isTarget: boolean;
}

/** Words that follow a table without an alias. */
const NO_ALIAS = new Set(
  (
    'where set on join left right full inner cross natural using values select default order group having limit for union except ' +
    'intersect returning overriding tablesample window offset fetch'
  ).split(' '),
);
const ALIAS = /^\s+(?:AS\s+)?([a-z_]\w*)/i;
const INSERTED = /\bINSERT\s+INTO\s+$/i;
const TARGET = /\b(?:UPDATE|DELETE\s+FROM)\s+(?:ONLY\s+)?$/i;

/** The text of a statement for a caller; its values are added to the given ones. */
export function renderSql(sql: Sql, caller: Caller | null, tableOf: TableOf, values: Values, aliases: Aliases = {}): string {
  return new Rendering(sql, caller, tableOf, values, aliases).text;
}

class Rendering {
  readonly text: string;
  private readonly named = new Map<string, StatementTable>();
  /** Whether it writes rows that both modes share. */
  private writesShared = false;
  private readonly rendered = new Map<Sql, string>();
  private readonly placeholders: { organization?: string; mode?: string; project?: string } = {};

  constructor(
    private readonly statement: Sql,
    private readonly caller: Caller | null,
    private readonly tableOf: TableOf,
    private readonly values: Values,
    aliases: Aliases,
  ) {
    if (!caller && statement.unscoped === null) throw new Error('A statement that runs without a caller must be sql.unscoped.');
    for (const [alias, entity] of Object.entries(aliases)) this.named.set(alias, { scoping: scopingOf(entity), isTarget: false });
    this.nameTables(statement);
    const text = this.render(statement);
    this.text = this.followsClock() ? asOfClock(text) : text;
  }

  /**
   * A test clock decides about rows of test data alone: not in the platform's own statements, in those for more than the caller's rows, and
   * in those that write rows of both modes.
   */
  private followsClock(): boolean {
    const { holes, unscoped, beyond } = this.statement;
    if (unscoped !== null || beyond.includes('mode') || holes.some((hole) => hole instanceof PlacedValues)) return false;
    return !this.writesShared;
  }

  private nameTables({ texts, holes }: Sql): void {
    for (const [index, hole] of holes.entries()) {
      if (hole instanceof Sql) this.nameTables(hole);
      else if (hole instanceof TableName) {
        const word = ALIAS.exec(texts[index + 1])?.[1];
        const alias = word && !NO_ALIAS.has(word.toLowerCase()) ? word : this.tableOf(hole.entity).slice(1, -1);
        const table = { scoping: scopingOf(hole.entity), isTarget: TARGET.test(texts[index]) };
        this.writesShared ||= table.scoping !== 'business' && (table.isTarget || INSERTED.test(texts[index]));
        const other = this.named.get(alias);
        if (other && (other.scoping !== table.scoping || other.isTarget !== table.isTarget))
          throw new Error(`The alias ${alias} names several tables of a statement, which are restricted differently; rename one.`);
        this.named.set(alias, table);
      }
    }
  }

  private render(sql: Sql): string {
    let text = this.rendered.get(sql);
    if (text !== undefined) return text;
    const { statement } = this;
    if ((sql.unscoped !== null && statement.unscoped === null) || sql.beyond.some((limit) => !statement.beyond.includes(limit)))
      throw new Error('A part of a statement is unscoped, in both modes or in all projects; only a whole statement can be.');
    text = sql.texts[0];
    for (const [index, hole] of sql.holes.entries()) text += this.hole(hole) + (sql.texts[index + 1] ?? '');
    this.rendered.set(sql, text);
    return text;
  }

  private hole(hole: unknown): string {
    if (hole instanceof Sql) return this.render(hole);
    if (hole instanceof TableName) return this.tableOf(hole.entity);
    if (hole instanceof OwnRows) return this.own(hole.alias);
    if (hole instanceof CallerValue) return this.callerValue(hole.name);
    if (hole instanceof PlacedValues) return this.placed(hole);
    return this.values.add(hole);
  }

  /** Its text counts its placeholders from `$1`. */
  private placed({ list }: PlacedValues): string {
    if (this.values.list.length > 0) throw new Error('A statement with placeholders of its own cannot be a part of another one.');
    this.values.list.push(...list);
    return '';
  }

  private own(alias: string): string {
    const table = this.named.get(alias);
    if (!table) throw new Error(`own('${alias}') names no table of the statement: write \${table(Entity)} ${alias}.`);
    const { scoping, isTarget } = table;
    if (!scoping) throw new Error(`The entity with the alias ${alias} has no @Scoped, so its rows cannot be restricted to a caller.`);
    let text = `${alias}.organization_id = ${this.callerValue('organization')}`;
    if (scoping === 'business' && !this.statement.beyond.includes('mode')) text += ` AND ${alias}.mode = ${this.callerValue('mode')}`;
    if (scoping !== 'organization' && this.caller?.projectId != null && !this.statement.beyond.includes('project')) {
      const pinned = `${alias}.project_id = ${this.callerValue('project')}`;
      text += scoping === 'business' || isTarget ? ` AND ${pinned}` : ` AND (${pinned} OR ${alias}.project_id IS NULL)`;
    }
    return `(${text})`;
  }

  /** One parameter for all places. */
  private callerValue(name: 'organization' | 'mode' | 'project'): string {
    if (!this.caller) throw new Error('A statement without a caller cannot be restricted to one.');
    const { organizationId, mode, projectId } = this.caller;
    return (this.placeholders[name] ??= this.values.add({ organization: organizationId, mode, project: projectId }[name]));
  }
}
