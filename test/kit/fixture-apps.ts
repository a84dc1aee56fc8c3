import { ownApp, sharedApp, startApp, type HostedOptions } from './hosted-app.js';
import type { TestApp } from './test-app.js';
import type { Exported } from './host-protocol.js';

export const NOTES = '/api/v1/ext/notes/notes';
export const BINDERS = '/api/v1/ext/shelves/binders';

const NOTES_APP: Exported = { file: 'test/kit/notes-app.ts', name: 'createNotesApp' };
const BINDERS_APP: Exported = { file: 'test/kit/binders-app.ts', name: 'createBindersApp' };
const LEAKY_APP: Exported = { file: 'test/kit/leaky-app.ts', name: 'createLeakyApp' };
const HABITS_APP: Exported = { file: 'test/kit/habits-app.ts', name: 'createHabitsApp' };
const PROXIED_APP: Exported = { file: 'test/kit/proxied-app.ts', name: 'createProxiedApp' };

/** The application with the module of notes.fixture.ts instead of the product's, shared like `sharedApp`. */
export function sharedNotesApp(): Promise<TestApp> {
  return sharedApp(NOTES_APP);
}

/** The same, of the test file's own. */
export function ownNotesApp(options: HostedOptions = {}): Promise<TestApp> {
  return ownApp(options, NOTES_APP);
}

/** The same for the middle of a test, which closes it. */
export function startNotesApp(options: HostedOptions = {}): Promise<TestApp> {
  return startApp(options, NOTES_APP);
}

/** The product's application behind a proxy, shared like `sharedApp`: visitors have addresses of their own. */
export function sharedProxiedApp(): Promise<TestApp> {
  return sharedApp(PROXIED_APP);
}

/** How the module of notes.fixture.ts behaves in an application. */
export function notesSwitches(app: TestApp) {
  return app.inside<typeof import('./notes-switches.js')>('test/kit/notes-switches.ts');
}

/** The application with the module of binders.fixture.ts instead of the product's, shared like `sharedApp`. */
export function sharedBindersApp(): Promise<TestApp> {
  return sharedApp(BINDERS_APP);
}

/** The same, of the test file's own. */
export function ownBindersApp(options: HostedOptions = {}): Promise<TestApp> {
  return ownApp(options, BINDERS_APP);
}

/** The application with the module of leaky.fixture.ts instead of the product's, of the test file's own. */
export function ownLeakyApp(): Promise<TestApp> {
  return ownApp({}, LEAKY_APP);
}

/** The application with the module of habits.fixture.ts instead of the product's, of the test file's own. */
export function ownHabitsApp(): Promise<TestApp> {
  return ownApp({}, HABITS_APP);
}
