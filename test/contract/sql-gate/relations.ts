import type { TableInfo } from './catalog.js';

/** What a column is known to equal: something of the caller. */
export type Binding = 'organization' | 'mode' | 'project' | 'project or none';

/** A column of one relation of a statement: `<id of the relation>.<column>`. */
export type Term = string;

/** A table, subquery, CTE or function in FROM. */
export interface Relation {
  id: number;
  alias: string;
  /** Null for what is not a table of the database. */
  table: TableInfo | null;
  /** Null if they are not known. */
  columns: readonly string[] | null;
  /** The columns of tables that columns of a subquery are. */
  origins: ReadonlyMap<string, Term>;
}

/** A column of a result. */
export interface Output {
  name: string;
  bindings: ReadonlySet<Binding>;
  origin: Term | null;
}

/** Two columns are equal, or a column equals something of the caller, in rows of the relations that it restricts. */
export interface Equality {
  left: Term;
  right: Term | { binding: Binding };
  restricts: ReadonlySet<number>;
}

/** The names that a query sees. */
export class Scope {
  readonly relations: Relation[] = [];
  readonly equalities: Equality[] = [];
  readonly ctes = new Map<string, readonly Output[]>();

  constructor(readonly parent: Scope | null) {}

  cte(name: string): readonly Output[] | undefined {
    return this.ctes.get(name) ?? this.parent?.cte(name);
  }

  /** The column that a reference names. */
  resolve(path: readonly string[], among: readonly Relation[] = this.relations): Term | null {
    const column = path[path.length - 1];
    const qualifier = path.length > 1 ? path[path.length - 2] : null;
    const found = among.filter(({ alias, columns }) => (qualifier === null ? columns?.includes(column) : alias === qualifier));
    if (found.length === 1) return `${found[0].id}.${column}`;
    return found.length === 0 && among === this.relations ? (this.parent?.resolve(path) ?? null) : null;
  }

  get ids(): ReadonlySet<number> {
    return new Set(this.relations.map(({ id }) => id));
  }
}

export function columnOf(term: Term): string {
  return term.slice(term.indexOf('.') + 1);
}

export function relationIdOf(term: Term): number {
  return Number(term.slice(0, term.indexOf('.')));
}
