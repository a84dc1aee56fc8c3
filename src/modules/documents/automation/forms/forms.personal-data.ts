import { containsAddress, personalData, sql } from '../../../../kit/index.js';
import { FormSubmission } from './form-submission.entity.js';

/** What forms store about people: those who filled them in. */
export const FORMS_PERSONAL_DATA = [
  personalData(FormSubmission, {
    title: 'submitted forms',
    where: (person) => containsAddress(sql`t.answers::text`, person),
    erase: { answers: {}, address: '', user_agent: null },
  }),
];
