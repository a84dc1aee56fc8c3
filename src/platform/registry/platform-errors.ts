import { CommonErrors } from '../../kit/index.js';
import { PeopleErrors } from '../people/people.errors.js';

/** The errors of the platform's own routes; modules bring theirs in their manifests. */
export const PLATFORM_ERRORS = { ...CommonErrors, ...PeopleErrors };
