import type { CommonTableExpr, DeleteStmt, InsertStmt, JoinExpr, Node, RangeVar, SelectStmt, UpdateStmt, WithClause } from 'libpg-query';
import type { Catalog, TableInfo } from './catalog.js';
import { columnOf, relationIdOf, Scope, type Binding, type Output, type Relation, type Term } from './relations.js';
import { missingIn, requirementsOf, type Requirement } from './requirements.js';

/** What a parameter's value is to the caller. */
export type ValueKind = 'organization' | 'mode' | 'project' | 'null' | 'other';

/** What the analysis of a statement depends on, besides its text. */
export interface Given {
  catalog: Catalog;
  /** By the numbers of the parameters, from 1. */
  values: readonly ValueKind[];
  mode: string;
  isPinned: boolean;
  /** Whether the statement concerns both modes. */
  inBothModes: boolean;
}

/** Say which transactions run, and read no rows. */
const OF_TRANSACTIONS = new Set(['pg_current_snapshot', 'pg_snapshot_xmin']);
const NOTHING: ReadonlySet<Binding> = new Set();
const WITH_A_REASON = "write sql.unscoped('why', ...)";
/** Functions of PostgreSQL that run a query of their own, or tell of the rows of all. */
const READS_ALL =
  /^(?:(?:query|table|schema|database|cursor)_to_xml(?:schema|_and_xmlschema)?|ts_stat|dblink\w*|lo_\w+|(?:curr|next|last)val)$/;
const OF_THE_SERVER = /^pg_(?!(?:try_)?advisory_|backend_pid$|column_size$|input_|sleep|typeof$)/;
type Dictionary = Record<string, unknown>;

/** Why a statement may read or write rows that are not the caller's; empty if it cannot. */
export function faultsOf(statement: Node, given: Given): string[] {
  return new Analysis(given).faultsOf(statement);
}

class Analysis {
  /** What columns are known to equal. It only grows: the statement is visited until nothing is added. */
  private readonly facts = new Map<Term, Set<Binding>>();
  private readonly relations = new Map<number, Relation>();
  private readonly ids = new Map<object, number>();
  private faults: string[] = [];
  private learned = true;

  constructor(private readonly given: Given) {}

  faultsOf(statement: Node): string[] {
    while (this.learned) {
      this.learned = false;
      this.faults = [];
      this.visitStatement(statement, null);
    }
    return [...new Set(this.faults)];
  }

  private visitStatement(statement: Node, parent: Scope | null): readonly Output[] {
    if ('SelectStmt' in statement) return this.visitSelect(statement.SelectStmt, parent);
    if ('InsertStmt' in statement) return this.visitInsert(statement.InsertStmt, parent);
    if ('UpdateStmt' in statement) return this.visitUpdate(statement.UpdateStmt, parent);
    if ('DeleteStmt' in statement) return this.visitDelete(statement.DeleteStmt, parent);
    if ('VariableSetStmt' in statement || 'TransactionStmt' in statement) return [];
    this.faults.push(`A ${Object.keys(statement)[0]} cannot be restricted to a caller.`);
    return [];
  }

  private visitWith(clause: WithClause | undefined, scope: Scope): void {
    for (const node of clause?.ctes ?? []) {
      const { CommonTableExpr: cte } = node as { CommonTableExpr: CommonTableExpr };
      const name = cte.ctename as string;
      // its own rows tell nothing while it is read
      if (clause?.recursive)
        scope.ctes.set(
          name,
          this.firstArm(cte.ctequery as Node, scope).map(({ name }) => ({ name, bindings: NOTHING, origin: null })),
        );
      scope.ctes.set(name, renamed(this.visitStatement(cte.ctequery as Node, scope), cte.aliascolnames));
    }
  }

  private firstArm(query: Node, scope: Scope): readonly Output[] {
    const select = 'SelectStmt' in query ? query.SelectStmt : {};
    return this.visitSelect(select.larg ?? {}, scope);
  }

  private visitSelect(select: SelectStmt, parent: Scope | null): readonly Output[] {
    const scope = new Scope(parent);
    this.visitWith(select.withClause, scope);
    if (select.larg && select.rarg) {
      const [left, right] = [this.visitSelect(select.larg, scope), this.visitSelect(select.rarg, scope)];
      return left.map(({ name, bindings }, index) => ({
        name,
        bindings: common(bindings, right[index]?.bindings ?? NOTHING),
        origin: null,
      }));
    }
    for (const item of select.fromClause ?? []) this.visitFrom(item, scope);
    this.restrict(select.whereClause, scope, scope.ids);
    this.settle(scope);
    this.walk(
      [select.targetList, select.fromClause, select.whereClause, select.havingClause, select.groupClause, select.sortClause],
      scope,
    );
    this.walk([select.limitCount, select.limitOffset, select.valuesLists, select.windowClause, select.distinctClause], scope);
    if (select.valuesLists) return this.outputsOfValues(select.valuesLists, scope);
    return this.outputs(select.targetList ?? [], scope);
  }

  private outputsOfValues(lists: readonly Node[], scope: Scope): readonly Output[] {
    const rows = lists.map((list) => ('List' in list ? (list.List.items ?? []) : []));
    return rows[0].map((_, column) => ({
      name: `column${column + 1}`,
      bindings: rows.map((row) => this.bindingsOf(row[column], scope)).reduce(common),
      origin: null,
    }));
  }

  private visitInsert({ relation, cols, selectStmt, withClause, onConflictClause, returningClause }: InsertStmt, parent: Scope | null) {
    const scope = new Scope(parent);
    this.visitWith(withClause, scope);
    const target = this.tableRelation(relation as RangeVar, scope);
    const rows = selectStmt ? this.visitStatement(selectStmt, scope) : [];
    const names = cols?.map((column) => ('ResTarget' in column ? (column.ResTarget.name as string) : '')) ?? target.columns ?? [];
    const written = new Map(names.map((name, index) => [name, rows[index]?.bindings ?? NOTHING]));
    for (const requirement of this.requirements(target)) {
      if (missingIn(requirement, written.get(requirement.column) ?? NOTHING))
        this.faults.push(`INSERT INTO ${target.alias} does not set ${requirement.column} to the caller's ${requirement.what}.`);
    }
    // the rows that are returned are those that were written
    for (const [name, bindings] of written) this.learn(`${target.id}.${name}`, bindings);
    scope.relations.push(target);
    if (onConflictClause?.action === 'ONCONFLICT_UPDATE') {
      const inferred = onConflictClause.infer;
      const columns =
        inferred?.indexElems?.map((element) => ('IndexElem' in element ? (element.IndexElem.name ?? '') : '')) ??
        target.table?.uniques.get(inferred?.conname ?? '') ??
        [];
      this.requireConflict({ ...target, id: this.idOf(onConflictClause) }, columns, onConflictClause.whereClause, scope);
      this.walk([onConflictClause.targetList, onConflictClause.whereClause], scope);
    }
    this.walk([returningClause?.exprs], scope);
    return this.outputs(returningClause?.exprs ?? [], scope);
  }

  /** The row that ON CONFLICT updates is the caller's: it has the same key, which tells the tenant, or WHERE restricts it. */
  private requireConflict(existing: Relation, columns: readonly string[], where: Node | undefined, scope: Scope): void {
    const { table, alias } = existing;
    const told = new Set(columns);
    for (const { columns: pairs } of table?.references ?? []) {
      const isTold = pairs.some(([own, other]) => columns.includes(own) && other === 'id');
      if (isTold && pairs.every(([own]) => table?.notNull.has(own))) for (const [own] of pairs) told.add(own);
    }
    const inside = new Scope(scope.parent);
    inside.relations.push(existing);
    this.relations.set(existing.id, existing);
    this.restrict(where, inside, inside.ids);
    this.settle(inside, false);
    for (const requirement of this.requirements(existing)) {
      if (!told.has(requirement.column) && missingIn(requirement, this.factsOf(`${existing.id}.${requirement.column}`)))
        this.faults.push(`ON CONFLICT of ${alias} may update a row of another ${requirement.what}: its key lacks ${requirement.column}.`);
    }
  }

  private visitUpdate({ relation, targetList, fromClause, whereClause, withClause, returningClause }: UpdateStmt, parent: Scope | null) {
    const scope = new Scope(parent);
    this.visitWith(withClause, scope);
    const target = this.addTable(relation as RangeVar, scope);
    for (const item of fromClause ?? []) this.visitFrom(item, scope);
    this.restrict(whereClause, scope, scope.ids);
    this.settle(scope);
    for (const node of targetList ?? []) {
      if (!('ResTarget' in node)) continue;
      const requirement = this.requirements(target).find(({ column }) => column === node.ResTarget.name);
      if (requirement && missingIn(requirement, this.bindingsOf(node.ResTarget.val, scope)))
        this.faults.push(`UPDATE of ${target.alias} moves rows to another ${requirement.what}.`);
    }
    this.walk([targetList, fromClause, whereClause, returningClause?.exprs], scope);
    return this.outputs(returningClause?.exprs ?? [], scope);
  }

  private visitDelete({ relation, usingClause, whereClause, withClause, returningClause }: DeleteStmt, parent: Scope | null) {
    const scope = new Scope(parent);
    this.visitWith(withClause, scope);
    this.addTable(relation as RangeVar, scope);
    for (const item of usingClause ?? []) this.visitFrom(item, scope);
    this.restrict(whereClause, scope, scope.ids);
    this.settle(scope);
    this.walk([usingClause, whereClause, returningClause?.exprs], scope);
    return this.outputs(returningClause?.exprs ?? [], scope);
  }

  /** Adds what stands in FROM to the scope; returns the relations. */
  private visitFrom(item: Node, scope: Scope): readonly Relation[] {
    if ('RangeVar' in item) return [this.addTable(item.RangeVar, scope)];
    if ('JoinExpr' in item) return this.visitJoin(item.JoinExpr, scope);
    if ('RangeSubselect' in item) {
      const { subquery, alias, lateral } = item.RangeSubselect;
      const outputs = this.visitStatement(subquery as Node, lateral ? scope : withCtes(scope));
      return [this.addDerived(item, alias?.aliasname ?? '', renamed(outputs, alias?.colnames), scope)];
    }
    if ('RangeFunction' in item) {
      const { alias, coldeflist } = item.RangeFunction;
      const named = alias?.colnames?.map(nameOf) ?? coldeflist?.map((node) => ('ColumnDef' in node ? (node.ColumnDef.colname ?? '') : ''));
      const outputs = (named ?? [alias?.aliasname ?? '']).map((name) => ({ name, bindings: NOTHING, origin: null }));
      return [this.addDerived(item, alias?.aliasname ?? '', outputs, scope)];
    }
    this.faults.push(`${Object.keys(item)[0]} in FROM is not understood.`);
    return [];
  }

  private visitJoin({ larg, rarg, jointype, quals, usingClause }: JoinExpr, scope: Scope): readonly Relation[] {
    const [left, right] = [this.visitFrom(larg as Node, scope), this.visitFrom(rarg as Node, scope)];
    // an outer join keeps the rows of one side that its condition leaves out
    const restricted = [
      ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_RIGHT' ? left : []),
      ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_LEFT' ? right : []),
    ];
    const restricts = new Set(restricted.map(({ id }) => id));
    this.restrict(quals, scope, restricts);
    for (const name of usingClause?.map(nameOf) ?? []) {
      const [one, other] = [scope.resolve([name], left), scope.resolve([name], right)];
      if (one && other) this.equate(one, other, scope, restricts);
    }
    return [...left, ...right];
  }

  private addTable(range: RangeVar, scope: Scope): Relation {
    const relation = this.tableRelation(range, scope);
    scope.relations.push(relation);
    return relation;
  }

  private tableRelation(range: RangeVar, scope: Scope): Relation {
    const name = range.relname as string;
    const alias = range.alias?.aliasname ?? name;
    const cte = range.schemaname ? undefined : scope.cte(name);
    if (cte) return this.derived(range, alias, renamed(cte, range.alias?.colnames));
    const isPublic = (range.schemaname ?? 'public') === 'public';
    const table = isPublic ? (this.given.catalog.tables.get(name) ?? null) : null;
    if (!isPublic || (!table && /^pg_/.test(name)) || this.given.catalog.views.has(name)) {
      const written = range.schemaname ? `${range.schemaname}.${name}` : name;
      this.faults.push(`${written} is no table of the suite, so it may show or count rows of all: ${WITH_A_REASON}.`);
    }
    const relation = { id: this.idOf(range), alias, table, columns: table && [...table.columns], origins: new Map() };
    this.relations.set(relation.id, relation);
    return relation;
  }

  private addDerived(node: object, alias: string, outputs: readonly Output[], scope: Scope): Relation {
    const relation = this.derived(node, alias, outputs);
    scope.relations.push(relation);
    return relation;
  }

  private derived(node: object, alias: string, outputs: readonly Output[]): Relation {
    const origins = new Map(outputs.flatMap(({ name, origin }) => (origin ? [[name, origin] as const] : [])));
    const relation = { id: this.idOf(node), alias, table: null, columns: outputs.map(({ name }) => name), origins };
    this.relations.set(relation.id, relation);
    for (const { name, bindings } of outputs) this.learn(`${relation.id}.${name}`, bindings);
    return relation;
  }

  private idOf(node: object): number {
    let id = this.ids.get(node);
    if (id === undefined) this.ids.set(node, (id = this.ids.size));
    return id;
  }

  /** Takes the equalities from a condition that rows of these relations must meet. */
  private restrict(condition: Node | undefined, scope: Scope, restricts: ReadonlySet<number>): void {
    if (!condition) return;
    if ('BoolExpr' in condition) {
      const { boolop, args = [] } = condition.BoolExpr;
      if (boolop === 'AND_EXPR') for (const arg of args) this.restrict(arg, scope, restricts);
      if (boolop === 'OR_EXPR') this.restrictByOr(args, scope, restricts);
    } else if ('A_Expr' in condition) {
      const { kind, name, lexpr, rexpr } = condition.A_Expr;
      const isEquality = (kind === 'AEXPR_OP' && name?.map(nameOf).join() === '=') || kind === 'AEXPR_NOT_DISTINCT';
      if (isEquality && lexpr && rexpr) this.restrictByEquality(lexpr, rexpr, scope, restricts);
    }
  }

  private restrictByOr(arms: readonly Node[], scope: Scope, restricts: ReadonlySet<number>): void {
    const possible = arms.filter((arm) => !this.isFalse(arm));
    if (possible.length === 1) return this.restrict(possible[0], scope, restricts);
    if (possible.length !== 2) return;
    // rows of a project or of the whole organization
    for (const [one, other] of [possible, possible.toReversed()]) {
      if (!('NullTest' in other) || other.NullTest.nulltesttype !== 'IS_NULL' || !('A_Expr' in one)) continue;
      const { lexpr, rexpr } = one.A_Expr;
      const term = this.termOf(lexpr, scope);
      if (term && term === this.termOf(other.NullTest.arg, scope) && this.bindingsOf(rexpr, scope).has('project'))
        scope.equalities.push({ left: term, right: { binding: 'project or none' }, restricts });
    }
  }

  /** `$1 IS NULL` of a value that is not null. */
  private isFalse(condition: Node): boolean {
    if (!('NullTest' in condition) || condition.NullTest.nulltesttype !== 'IS_NULL') return false;
    const kind = this.kindOf(condition.NullTest.arg);
    return kind !== null && kind !== 'null';
  }

  private restrictByEquality(left: Node, right: Node, scope: Scope, restricts: ReadonlySet<number>): void {
    if ('RowExpr' in left && 'RowExpr' in right) {
      const others = right.RowExpr.args ?? [];
      for (const [index, one] of (left.RowExpr.args ?? []).entries()) this.restrictByEquality(one, others[index], scope, restricts);
      return;
    }
    const [one, other] = [this.termOf(left, scope), this.termOf(right, scope)];
    if (one && other) return this.equate(one, other, scope, restricts);
    const term = one ?? other;
    if (term)
      for (const binding of this.bindingsOf(one ? right : left, scope))
        scope.equalities.push({ left: term, right: { binding }, restricts });
  }

  /** Two columns are equal, and so are the other columns of the keys that they belong to. */
  private equate(left: Term, right: Term, scope: Scope, restricts: ReadonlySet<number>): void {
    const add = (one: Term, other: Term) => scope.equalities.push({ left: one, right: other, restricts });
    add(left, right);
    const [one, other] = [this.originOf(left), this.originOf(right)];
    if (!one || !other) return;
    for (const [from, to] of [
      [one, other],
      [other, one],
    ]) {
      for (const { table, columns } of from.table.references) {
        const isKey = to.table.name === table && to.table.keys.has(to.column);
        if (!isKey || !columns.some(([own, its]) => own === from.column && its === to.column)) continue;
        // a foreign key with a null is not enforced
        if (columns.every(([own]) => own === from.column || from.table.notNull.has(own)))
          for (const [own, its] of columns) add(`${from.id}.${own}`, `${to.id}.${its}`);
      }
    }
    if (one.table === other.table && one.column === other.column && one.table.keys.has(one.column))
      for (const column of ['organization_id', 'mode', 'project_id']) add(`${one.id}.${column}`, `${other.id}.${column}`);
  }

  private originOf(term: Term): { id: number; table: TableInfo; column: string } | null {
    const relation = this.relations.get(relationIdOf(term)) as Relation;
    const column = columnOf(term);
    if (relation.table) return { id: relation.id, table: relation.table, column };
    const origin = relation.origins.get(column);
    return origin === undefined ? null : this.originOf(origin);
  }

  /** Learns what follows from the equalities, and reports tables that are not restricted by them. */
  private settle(scope: Scope, reports = true): void {
    let changed = true;
    while (changed) {
      changed = false;
      for (const { left, right, restricts } of scope.equalities) {
        if (typeof right === 'string') {
          if (restricts.has(relationIdOf(left))) changed = this.learn(left, this.factsOf(right)) || changed;
          if (restricts.has(relationIdOf(right))) changed = this.learn(right, this.factsOf(left)) || changed;
        } else if (restricts.has(relationIdOf(left))) changed = this.learn(left, new Set([right.binding])) || changed;
      }
    }
    if (!reports) return;
    for (const relation of scope.relations) {
      const missing = this.requirements(relation).filter((needed) => missingIn(needed, this.factsOf(`${relation.id}.${needed.column}`)));
      if (missing.length === 0) continue;
      const { table, alias } = relation;
      const name = table?.name === alias ? alias : `${table?.name} ${alias}`;
      this.faults.push(`${name} is not restricted to the caller's ${missing.map(({ what }) => what).join(' and ')}.`);
    }
  }

  private requirements({ table }: Relation): readonly Requirement[] {
    return table ? requirementsOf(table, this.given) : [];
  }

  private factsOf(term: Term): ReadonlySet<Binding> {
    return this.facts.get(term) ?? NOTHING;
  }

  private learn(term: Term, bindings: ReadonlySet<Binding>): boolean {
    if (bindings.size === 0) return false;
    let known = this.facts.get(term);
    if (!known) this.facts.set(term, (known = new Set()));
    const before = known.size;
    for (const binding of bindings) known.add(binding);
    const isNew = known.size > before;
    this.learned ||= isNew;
    return isNew;
  }

  private termOf(expression: Node | undefined, scope: Scope): Term | null {
    if (!expression) return null;
    if ('TypeCast' in expression) return this.termOf(expression.TypeCast.arg, scope);
    if (!('ColumnRef' in expression)) return null;
    const fields = expression.ColumnRef.fields ?? [];
    return fields.every((field) => 'String' in field) ? scope.resolve(fields.map(nameOf)) : null;
  }

  private kindOf(expression: Node | undefined): ValueKind | null {
    if (!expression) return null;
    if ('TypeCast' in expression) return this.kindOf(expression.TypeCast.arg);
    return 'ParamRef' in expression ? (this.given.values[(expression.ParamRef.number ?? 0) - 1] ?? 'other') : null;
  }

  private bindingsOf(expression: Node | undefined, scope: Scope): ReadonlySet<Binding> {
    if (!expression) return NOTHING;
    if ('TypeCast' in expression) return this.bindingsOf(expression.TypeCast.arg, scope);
    if ('A_Const' in expression) return expression.A_Const.sval?.sval === this.given.mode ? new Set(['mode']) : NOTHING;
    const kind = this.kindOf(expression);
    if (kind !== null) return kind === 'null' || kind === 'other' ? NOTHING : new Set([kind]);
    const term = this.termOf(expression, scope);
    return term ? this.factsOf(term) : NOTHING;
  }

  private outputs(targets: readonly Node[], scope: Scope): readonly Output[] {
    return targets.flatMap((node): readonly Output[] => {
      if (!('ResTarget' in node)) return [];
      const { name, val } = node.ResTarget;
      if (val && 'ColumnRef' in val) {
        const fields = val.ColumnRef.fields ?? [];
        if (fields.some((field) => 'A_Star' in field)) return this.allOutputs(fields.length > 1 ? nameOf(fields[0]) : null, scope);
      }
      const term = this.termOf(val, scope);
      const origin = term && this.originOf(term);
      return [
        {
          name: name ?? (term ? columnOf(term) : '?'),
          bindings: this.bindingsOf(val, scope),
          origin: origin && `${origin.id}.${origin.column}`,
        },
      ];
    });
  }

  private allOutputs(alias: string | null, scope: Scope): readonly Output[] {
    const relations = scope.relations.filter((relation) => alias === null || relation.alias === alias);
    return relations.flatMap((relation) =>
      (relation.columns ?? []).map((name) => {
        const term = `${relation.id}.${name}`;
        const origin = this.originOf(term);
        return { name, bindings: this.factsOf(term), origin: origin && `${origin.id}.${origin.column}` };
      }),
    );
  }

  /** Visits the subqueries and the calls in expressions. */
  private walk(value: unknown, scope: Scope): void {
    if (Array.isArray(value)) for (const item of value) this.walk(item, scope);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Dictionary;
    // was visited with FROM
    if ('RangeSubselect' in node) return;
    if ('SelectStmt' in node) return void this.visitStatement(value as Node, scope);
    if ('FuncCall' in node) this.visitCall(node.FuncCall as { funcname?: Node[]; args?: Node[] }, scope);
    for (const part of Object.values(node)) this.walk(part, scope);
  }

  /** A function of the suite that uses tables must be called for the caller. */
  private visitCall({ funcname = [], args = [] }: { funcname?: Node[]; args?: Node[] }, scope: Scope): void {
    const name = nameOf(funcname[funcname.length - 1]);
    const called = this.given.catalog.functions.get(name);
    if (!called) {
      if (!OF_TRANSACTIONS.has(name) && (READS_ALL.test(name) || OF_THE_SERVER.test(name)))
        this.faults.push(`The function ${name} may show or count rows of all: ${WITH_A_REASON}.`);
      return;
    }
    const words = new Set(called.body.toLowerCase().match(/\w+/g));
    const used = [...this.given.catalog.tables.keys()].find((table) => words.has(table));
    if (used === undefined) return;
    const wanted: [Binding, RegExp][] = [
      ['organization', /organization/],
      ...(this.given.inBothModes ? [] : [['mode', /mode/] as [Binding, RegExp]]),
      ...(this.given.isPinned ? [['project', /project/] as [Binding, RegExp]] : []),
    ];
    for (const [binding, pattern] of wanted) {
      const index = called.argumentNames.findIndex((name) => pattern.test(name));
      if (index === -1 && binding !== 'organization') continue;
      if (!this.bindingsOf(args[index], scope).has(binding))
        this.faults.push(`The function ${called.name}, which uses ${used}, is not given the caller's ${binding}.`);
    }
  }
}

/** For a subquery without LATERAL: it sees the CTEs, but not the tables beside it. */
function withCtes(scope: Scope): Scope {
  const outside = new Scope(scope.parent);
  for (const [name, outputs] of scope.ctes) outside.ctes.set(name, outputs);
  return outside;
}

function common(one: ReadonlySet<Binding>, other: ReadonlySet<Binding>): ReadonlySet<Binding> {
  return new Set([...one].filter((binding) => other.has(binding)));
}

function renamed(outputs: readonly Output[], names: readonly Node[] | undefined): readonly Output[] {
  return names ? outputs.map((output, index) => ({ ...output, name: names[index] ? nameOf(names[index]) : output.name })) : outputs;
}

function nameOf(node: Node): string {
  return 'String' in node ? (node.String.sval ?? '') : '';
}
