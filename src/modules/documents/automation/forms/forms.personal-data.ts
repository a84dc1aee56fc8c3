import { personalData, sql } from '../../../../kit/index.js';
import { FormSubmission } from './form-submission.entity.js';

/** What forms store about people: those who filled them in. */
export const FORMS_PERSONAL_DATA = [
  personalData(FormSubmission, {
    title: 'submitted forms',
    where: ({ email }) => sql`position(${email} in lower(t.answers::text)) > 0`,
    erase: { answers: {}, address: '', user_agent: null },
  }),
];
