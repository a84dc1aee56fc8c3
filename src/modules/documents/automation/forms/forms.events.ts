import { defineEvents, event } from '../../../../kit/index.js';
import { FormSubmissionDto } from './forms.dto.js';

export const FormEvents = defineEvents({
  /** Starts generation triggers and the form's bridges. */
  formSubmitted: event({
    name: 'form.submitted',
    description: 'A visitor filled in an intake form.',
    permission: 'papers.document.view',
    // anyone can fill in a form
    scope: 'papers:document:write',
    payload: FormSubmissionDto,
    internal: true,
  }),
});
