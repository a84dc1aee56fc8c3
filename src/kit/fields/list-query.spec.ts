import { expect, it } from '@jest/globals';
import { constantList, Listing, ListQuery } from './list-query.js';

@Listing({
  sort: ['name'],
  defaultSort: 'name',
})
class ColorsQuery extends ListQuery {}

class UndecoratedQuery extends ListQuery {}

it('a list whose query has lost its class, or has no @Listing, tells what to do', () => {
  const list = (query: ListQuery) => () => constantList(['blue', 'red'], query, (name) => name).data;
  const query = Object.assign(new ColorsQuery(), { sort: '-name' });
  expect(list(query)()).toEqual(['red', 'blue']);
  expect(list({ ...query })).toThrow(/lost its class, for example by `\{ \.\.\.query \}`\. Pass the query that the handler got, or/);
  expect(list(new UndecoratedQuery())).toThrow('UndecoratedQuery extends ListQuery but has no @Listing: decorate the class with it.');
});
