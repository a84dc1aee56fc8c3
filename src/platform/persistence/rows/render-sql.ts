import type { Type } from '@nestjs/common';
import { Sql, type Ctx } from '../../../kit/index.js';
import { CallerValue, Legacy, OwnRows, scopingOf, TableName, type Scoping } from '../../../kit/internal.js';
import { Values } from './sql.js';

/** What restricts a statement to a caller. */
export type Caller = Pick<Ctx, 'organizationId' | 'projectId' | 'mode'>;

/** A table of a statement. */
interface Named {
  scoping: Scoping | undefined;
  /** Whether UPDATE or DELETE writes it. */
  isTarget: boolean;
}

const ALIAS = /^\s+(?:AS\s+)?(?!(?:AS|WHERE|SET|ON|JOIN|LEFT|RIGHT|FULL|INNER|CROSS|NATURAL|USING|VALUES|SELECT|DEFAULT|ORDER|GROUP|HAVING|LIMIT|FOR|UNION|EXCEPT|INTERSECT|RETURNING|OVERRIDING|TABLESAMPLE|WINDOW|OFFSET|FETCH)\b)([a-z_]\w*)/i;
const TARGET = /\b(?:UPDATE|DELETE\s+FROM)\s+(?:ONLY\s+)?$/i;

/** The text of a statement for a caller; its values are added to the given ones. */
export function renderSql(sql: Sql, caller: Caller | null, tableOf: (entity: Type) => string, values = new Values()): string {
  return new Rendering(sql, caller, tableOf, values).text;
}

class Rendering {
  readonly text: string;
  private readonly named = new Map<string, Named>();
  private readonly rendered = new Map<Sql, string>();
  private readonly placeholders: { organization?: string; mode?: string; project?: string } = {};

  constructor(
    private readonly statement: Sql,
    private readonly caller: Caller | null,
    private readonly tableOf: (entity: Type) => string,
    private readonly values: Values,
  ) {
    this.nameTables(statement);
    this.text = this.render(statement);
  }

  private nameTables({ texts, holes }: Sql): void {
    for (const [index, hole] of holes.entries()) {
      if (hole instanceof Sql) this.nameTables(hole);
      else if (hole instanceof TableName) {
        const alias = ALIAS.exec(texts[index + 1])?.[1] ?? this.tableOf(hole.entity).slice(1, -1);
        const table = { scoping: scopingOf(hole.entity), isTarget: TARGET.test(texts[index]) };
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
    if (sql.unscoped !== null && this.statement.unscoped === null)
      throw new Error(`A part of a statement is unscoped (${sql.unscoped}); only a whole statement can be.`);
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
    if (hole instanceof Legacy) return (this.values.list.push(...hole.values), '');
    return this.values.add(hole);
  }

  private own(alias: string): string {
    const table = this.named.get(alias);
    if (!table) throw new Error(`own('${alias}') names no table of the statement: write \${table(Entity)} ${alias}.`);
    const { scoping, isTarget } = table;
    if (!scoping) throw new Error(`The entity with the alias ${alias} has no @Scoped, so its rows cannot be restricted to a caller.`);
    let text = `${alias}.organization_id = ${this.callerValue('organization')}`;
    if (scoping === 'business') text += ` AND ${alias}.mode = ${this.callerValue('mode')}`;
    if (scoping !== 'organization' && this.caller?.projectId != null) {
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
