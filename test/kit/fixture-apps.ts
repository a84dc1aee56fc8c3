import { ownApp, type HostedOptions } from './hosted-app.js';
import type { TestApp } from './test-app.js';

export const NOTES = '/api/v1/ext/notes/notes';
export const BINDERS = '/api/v1/ext/shelves/binders';

/** The application with the module of notes.fixture.ts instead of the product's. */
export function ownNotesApp(options: HostedOptions = {}): Promise<TestApp> {
  return ownApp(options, { file: 'test/kit/notes-app.ts', name: 'createNotesApp' });
}

/** The application with the module of binders.fixture.ts instead of the product's. */
export function ownBindersApp(options: HostedOptions = {}): Promise<TestApp> {
  return ownApp(options, { file: 'test/kit/binders-app.ts', name: 'createBindersApp' });
}
