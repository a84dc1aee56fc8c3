import { expect, test } from '@jest/globals';
import { Filter, Listing, ListQuery } from '../../src/kit/index.js';
import { indexFaults, type ListIndex, type ReadList } from './list-indexes.js';

@Listing({
  sort: ['starts_on'],
  defaultSort: 'starts_on',
})
class VisitsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Their patient.',
    example: [],
  })
  patient_id?: string[];

  @Filter.oneOf(['planned', 'done'], {
    description: 'Their status.',
    example: [],
  })
  status?: string[];
}

const index = (parts: readonly string[], over: Partial<ListIndex> = {}): ListIndex => ({
  table: 'visits',
  method: 'btree',
  parts,
  predicate: null,
  ...over,
});
const faults = (indexes: readonly ListIndex[], over: Partial<ReadList> = {}) =>
  indexFaults({ entity: 'Visit', table: 'visits', query: VisitsQuery, fixed: [], hasSql: false, ...over }, indexes).map(
    (fault) => / by (\w+), but no index/.exec(fault)?.[1] ?? fault,
  );

const BY_PATIENT = index(['organization_id', 'mode', 'patient_id']);
const BY_START = index(['organization_id', 'mode', 'starts_on', 'id']);

test.each<[string, ListIndex[], Partial<ReadList>, string[]]>([
  ['both', [BY_PATIENT, BY_START], {}, []],
  ['none', [], {}, ['starts_on', 'patient_id']],
  ['those of another table', [BY_PATIENT, BY_START].map((one) => ({ ...one, table: 'patients' })), {}, ['starts_on', 'patient_id']],
  ['an order of all organizations', [BY_PATIENT, index(['starts_on', 'id'])], {}, ['starts_on']],
  ['an expression', [BY_PATIENT, index(['organization_id', 'mode', `COALESCE(starts_on, 'infinity'::date)`, 'id'])], {}, []],
  ['a column between', [BY_PATIENT, index(['organization_id', 'mode', 'status', 'starts_on', 'id'])], {}, ['starts_on']],
  ['a column between that has a value', [BY_PATIENT, index(['organization_id', 'status', 'starts_on'])], { fixed: ['status'] }, []],
  ['an order of a part of the rows', [BY_PATIENT, index(BY_START.parts, { predicate: `(status <> 'done')` })], {}, ['starts_on']],
  ['that of the part that is read', [BY_PATIENT, index(BY_START.parts, { predicate: `(status <> 'done')` })], { fixed: ['status'] }, []],
  ['a reference where there is one', [BY_START, index(['patient_id', 'id'], { predicate: '(patient_id IS NOT NULL)' })], {}, []],
  ['references in a list', [BY_START, index(['patient_id'], { method: 'gin' })], {}, []],
  ['what SQL of the service restricts', [BY_PATIENT, index(['ward_id', 'starts_on'])], { hasSql: true }, []],
])('a list needs an index for each order and reference: %s', (_, indexes, over, missing) => expect(faults(indexes, over)).toEqual(missing));

test('the fault says what to create, and a reason takes its place', () => {
  const list: ReadList = { entity: 'Visit', table: 'visits', query: VisitsQuery, fixed: [], hasSql: false };
  expect(indexFaults(list, [BY_PATIENT])).toEqual([
    'VisitsQuery: a list of Visit can be sorted by starts_on, but no index of visits begins with organization_id, mode, starts_on. ' +
      'Create it in a migration, or say in unindexed of @Listing why it is not needed.',
  ]);

  @Listing({
    sort: ['starts_on'],
    defaultSort: 'starts_on',
    unindexed: { starts_on: 'A ward has few.', ends_on: 'Nor many of these.' },
  })
  class FewVisitsQuery extends ListQuery {}
  expect(indexFaults({ ...list, query: FewVisitsQuery }, [])).toEqual([
    'FewVisitsQuery: unindexed of @Listing names ends_on, by which the list is neither sorted nor filtered.',
  ]);
});
