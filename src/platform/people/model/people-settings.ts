import type { AppConfig } from '../../config/settings.js';

/** What people and their sessions need of the configuration. */
export type PeopleSettings = Pick<AppConfig, 'sessionSecret' | 'baseUrl' | 'rateLimitAuthFailuresPerAddress'>;

export const PEOPLE_SETTINGS = Symbol('people settings');
