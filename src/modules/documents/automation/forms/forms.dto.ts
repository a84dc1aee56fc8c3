import { bothOf, Field, Filter, Listing, ListQuery, partialOf, ResourceDto, responseOf, shownOf } from '../../../../kit/index.js';
import { valuesInOrder, type FieldSchema } from '../../model/core/field-schema.js';
import { LANGUAGE } from '../../model/types/type-definition.dto.js';
import type { FormSubmission } from './form-submission.entity.js';
import type { IntakeForm } from './intake-form.entity.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const TYPE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10';
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$';

/** The request body to create a form. */
export class CreateFormDto {
  @Field.string({
    description: 'Last part of its URL, /f/{slug}; unique across all organizations.',
    example: 'supplier-application',
    pattern: SLUG_PATTERN,
    maxLength: 63,
  })
  slug: string;

  @Field.string({
    description: 'Heading.',
    example: 'Become our supplier',
    maxLength: 200,
  })
  title: string;

  @Field.string({
    description: 'Introduction, shown above the fields.',
    example: 'It takes about five minutes.',
    maxLength: 5_000,
    required: false,
    nullable: true,
  })
  description?: string | null;

  @Field.string({
    description: "Language of the page's own texts, BCP 47: de, es and fr besides en.",
    ...LANGUAGE,
  })
  language?: string;

  @Field.map({
    description:
      'The fields, like the field_schema of a document type: one object with scalar properties and arrays of flat objects; ' +
      'x-label, x-order, x-format. Fields keep the order in which they are written.',
    example: { type: 'object', properties: { company: { type: 'string', 'x-label': 'Company' } }, required: ['company'] },
  })
  fields: FieldSchema;

  @Field.uuid({
    description: 'Project that the answers belong to; it never changes.',
    example: PROJECT,
  })
  project_id: string;

  @Field.uuid({
    description:
      'Document type with zones whose filled-in PDF visitors may upload. The values that its zones read fill in the fields of the ' +
      'same names, for the visitor to check and send. null: no upload.',
    example: TYPE,
    required: false,
    nullable: true,
  })
  document_type_id?: string | null;

  @Field.string({
    description: 'Message shown after submission.',
    example: 'Thank you. We will write to you within a week.',
    maxLength: 2_000,
    required: false,
    nullable: true,
  })
  success_message?: string | null;

  @Field.boolean({
    description: 'Whether the form is open.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;
}

/** The merge patch of a form; `fields` replaces all fields. */
export class UpdateFormDto extends partialOf(CreateFormDto, { omit: ['project_id'] }) {}

/** A form that anyone may fill in. */
export class FormDto extends bothOf(
  ResourceDto,
  shownOf(CreateFormDto, {
    slug: 'Last part of its URL.',
    title: true,
    description: 'Introduction.',
    language: "Language of the page's own texts, BCP 47.",
    fields: true,
    project_id: 'Project that the answers belong to.',
    document_type_id: 'Document type whose filled-in PDF visitors may upload; null for no upload.',
    success_message: true,
    active: true,
  }),
) {
  @Field.constant('intake_form')
  object: string;

  @Field.string({
    description: 'URL of the form.',
    example: 'https://suite.example.com/f/supplier-application',
    maxLength: 2_000,
  })
  url: string;

  static from(this: void, form: IntakeForm, baseUrl: string): FormDto {
    return { ...responseOf(FormDto, form), url: `${baseUrl}/f/${form.slug}`, project_id: form.project_id as string };
  }
}

/** The form that was submitted. */
export class SubmittedFormDto extends shownOf(FormDto, { id: 'Id of the form.', slug: true, title: true }) {}

/** A submission; the object of the internal event form.submitted. */
export class FormSubmissionDto extends ResourceDto {
  @Field.constant('form_submission')
  object: string;

  @Field.object(() => SubmittedFormDto, {
    description: 'The form.',
    example: undefined,
  })
  form: SubmittedFormDto;

  @Field.uuid({
    description: 'Project of the form.',
    example: PROJECT,
  })
  project_id: string;

  @Field.map({
    description: 'The answers by field name.',
    example: { company: 'Acme GmbH', email: 'ada@example.com' },
  })
  answers: Record<string, unknown>;

  @Field.dateTime({
    description: 'When it was submitted, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  submitted_at: string;

  static from(this: void, submission: FormSubmission, { id, slug, title, fields }: IntakeForm): FormSubmissionDto {
    return {
      ...responseOf(FormSubmissionDto, submission),
      form: { id, slug, title },
      answers: valuesInOrder(fields, submission.answers),
      submitted_at: submission.created_at.toISOString(),
    };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class FormsQuery extends ListQuery {
  @Filter.string({
    description: 'Only the forms with these slugs.',
    example: ['supplier-application'],
  })
  slug?: string[];

  @Filter.boolean({
    description: 'Only open or only closed forms.',
    example: true,
  })
  active?: boolean;
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class FormSubmissionsQuery extends ListQuery {}
