import { expect, it } from '@jest/globals';
import { shareStatements, type Shareable, type WaitingStatement } from './shared-statements.js';

const waiting = (text: string, values: unknown[], share?: Shareable): WaitingStatement => ({
  statement: { text, values },
  share,
  resolve: () => undefined,
  reject: () => undefined,
});
const add = (table: string, id: string, amount: string) => waiting(`ADD ${table}`, [amount, id], { table, id });
const insert = (table: string, ...values: unknown[]) => waiting(`INSERT INTO ${table} VALUES ($1, $2)`, values, 'row');
const sent = (...changes: WaitingStatement[][]) =>
  shareStatements(changes).map(({ statement, waiting: all }) => [statement.text, statement.values, all.length]);

it('increments come first, in the order of the tables and the ids, and keep their order for one row', () => {
  const changes = [
    [add('totals', 'b', '1'), add('levels', 'y', '2')],
    [insert('rows', 1, 'x')],
    [add('totals', 'a', '3'), add('levels', 'x', '4')],
    [add('totals', 'b', '5')],
  ];
  expect(sent(...changes).map(([text, values]) => [text, (values as unknown[])[0]])).toEqual([
    ['ADD totals', '3'],
    ['ADD totals', '1'],
    ['ADD totals', '5'],
    ['ADD levels', '4'],
    ['ADD levels', '2'],
    ['INSERT INTO rows VALUES ($1, $2)', 1],
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
