import { expect, it } from '@jest/globals';
import { shareStatements, type Shareable, type WaitingStatement } from './shared-statements.js';

const waiting = (text: string, values: unknown[], share?: Shareable): WaitingStatement => ({
  statement: { text, values },
  share,
  resolve: () => undefined,
  reject: () => undefined,
});
const TIMES = ['2026-11-26T08:00:00.000Z', '2026-11-26T09:00:00.000Z'];
const add = (table: string, id: string, amount: string, at = TIMES[0], organization = 'acme') =>
  waiting(`ADD ${table}`, [amount, '1', at, id, organization], { table, id, amounts: 1, textOf: (rows) => `ADD ${rows} ${table}` });
const insert = (table: string, ...values: unknown[]) => waiting(`INSERT INTO ${table} VALUES ($1, $2)`, values, 'row');
const sent = (...changes: WaitingStatement[][]) =>
  shareStatements(changes).map(({ statement, waiting: all }) => [statement.text, statement.values, all.length]);

it('increments of one row become one with their sum, the number of changes and the latest time', () => {
  expect(sent([add('levels', 'a', '-0.1', TIMES[1])], [add('levels', 'a', '2')], [add('levels', 'a', '-1.25')])).toEqual([
    ['ADD levels', ['0.65', 3, TIMES[1], 'a', 'acme'], 3],
  ]);
});

it('increments of different rows become one by table, with the rows ordered by id; those of other callers stay separate', () => {
  const changes = [
    [add('totals', 'b', '1'), add('levels', 'y', '1')],
    [add('totals', 'c', '1', TIMES[0], 'other'), add('levels', 'x', '2')],
    [add('totals', 'a', '3')],
  ];
  expect(sent(...changes, [add('totals', 'c', '4'), add('levels', 'x', '5', TIMES[1])])).toEqual([
    ['ADD 2 totals', ['3', '1', TIMES[0], 'a', '1', '1', TIMES[0], 'b', 'acme'], 2],
    ['ADD totals', ['1', '1', TIMES[0], 'c', 'other'], 1],
    ['ADD totals', ['4', '1', TIMES[0], 'c', 'acme'], 1],
    ['ADD 2 levels', ['7', 2, TIMES[1], 'x', '1', '1', TIMES[0], 'y', 'acme'], 3],
  ]);
});

it('rows of one table become one statement, parents before children and before what follows them in a change', () => {
  const changes = [1, 2, 3].map((n) => [insert('parents', n, 'p'), insert('children', n, 'c'), waiting(`UPDATE ${n}`, [])]);
  expect(sent(...changes)).toEqual([
    ['INSERT INTO parents VALUES ($1, $2), ($3, $4)', [1, 'p', 2, 'p'], 2],
    ['INSERT INTO parents VALUES ($1, $2)', [3, 'p'], 1],
    ['INSERT INTO children VALUES ($1, $2), ($3, $4)', [1, 'c', 2, 'c'], 2],
    ['INSERT INTO children VALUES ($1, $2)', [3, 'c'], 1],
    ['UPDATE 1', [], 1],
    ['UPDATE 2', [], 1],
    ['UPDATE 3', [], 1],
  ]);
});

it('equal checks become one, after everything else', () => {
  const check = (item: string) => waiting('CHECK', [item], 'check');
  expect(sent([check('a'), waiting('UPDATE', [])], [insert('rows', 1, 'x'), check('a')], [check('b')])).toEqual([
    ['INSERT INTO rows VALUES ($1, $2)', [1, 'x'], 1],
    ['UPDATE', [], 1],
    ['CHECK', ['a'], 2],
    ['CHECK', ['b'], 1],
  ]);
});

it('an increment after another statement of its change stays after it', () => {
  const changes = [
    [waiting('UPDATE totals', []), add('totals', 'a', '1')],
    [insert('rows', 1, 'x'), add('totals', 'a', '2')],
  ];
  expect(sent(...changes, [add('totals', 'a', '4')]).map(([text, values]) => [text, (values as unknown[])[0]])).toEqual([
    ['ADD totals', '4'],
    ['INSERT INTO rows VALUES ($1, $2)', 1],
    ['UPDATE totals', undefined],
    ['ADD totals', '1'],
    ['ADD totals', '2'],
  ]);
});

it('a row that a change inserts after another statement stays after it', () => {
  const replace = (n: number) => [waiting(`DELETE ${n}`, []), insert('rows', n, 'new')];
  expect(sent(replace(1), [insert('rows', 2, 'first')]).map(([text]) => text)).toEqual([
    'INSERT INTO rows VALUES ($1, $2)',
    'DELETE 1',
    'INSERT INTO rows VALUES ($1, $2)',
  ]);
});
