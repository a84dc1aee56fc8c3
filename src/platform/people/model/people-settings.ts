import type { AppConfig } from '../../config/settings.js';

/** The settings used by people and sessions. */
export type PeopleSettings = Pick<AppConfig, 'nodeEnv' | 'sessionSecret' | 'baseUrl' | 'rateLimitAuthFailuresPerAddress'>;

export const PEOPLE_SETTINGS = Symbol('people settings');
