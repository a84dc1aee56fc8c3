import { expect, test } from '@jest/globals';
import { DomainModule, type DomainModuleOptions } from './domain-module.js';

const MANIFEST = { name: 'fleet', title: 'Fleet', guide: '', scopes: {}, entities: [], controllers: [], providers: [] };

test.each<[string, object, string]>([
  ['settings that are no list', { settings: {} }, 'settings must be a list of classes that extend moduleSettings({ ... }), such as [Fleet'],
  ['another class as settings', { settings: [Date] }, 'but entry 1 is Date.'],
  ['one class in place of a list', { entities: Date }, 'entities must be a list of classes, such as [Trip], but is Date.'],
  ['a member that is absent', { controllers: undefined }, 'the manifest has no controllers, which must be a list of classes, such as ['],
  ['what a cycle of imports leaves', { providers: [Date, undefined] }, 'but entry 2 is undefined: if it is imported, two files may import'],
  [
    'scopes that are a list',
    { scopes: ['fleet:trip:read'] },
    "must be an object of texts, such as { 'fleet:trip:read': 'See trips' }, but is",
  ],
  ['a permission that is a text', { permissions: { 'fleet.trip.view': 'See' } }, `but fleet.trip.view is the text 'See'.`],
  ['a title that is a number', { title: 3 }, "title must be a text, such as 'Fleet', but is 3."],
  ['an object in place of a class', { brand: {} }, 'brand must be a class, such as FleetBrand, but is an object.'],
])('%s', (_, member, sentence) => {
  expect(() => DomainModule({ ...MANIFEST, ...member } as DomainModuleOptions)).toThrow(
    expect.objectContaining({ name: 'ConfigError', message: expect.stringContaining(sentence) }),
  );
});

test.each([
  ['undoneBy', { undoneBy: { delete_trip: { operation: 'restore_trip' } } }, 'delete_trip'],
  ['demo.fits', { demo: { seed: async () => undefined, fits: { plan_trip: { state: 'new' } } } }, 'plan_trip'],
])('%s names an operation that the module does not have', (member, given, operation) => {
  expect(() => DomainModule({ ...MANIFEST, ...given })).toThrow(`${member} names the operation ${operation}, which no controller`);
});

test('the sentence names the module', () => {
  expect(() => DomainModule({ ...MANIFEST, jobs: null } as never)).toThrow(
    'The module fleet is declared incorrectly: jobs must be a list of classes, such as [PlanTrips], but is null.',
  );
  expect(() => DomainModule({ ...MANIFEST, name: undefined } as never)).toThrow(
    /^A module is declared incorrectly: the manifest has no name/,
  );
});
