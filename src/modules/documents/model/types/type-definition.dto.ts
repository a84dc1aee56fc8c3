import { Field } from '../../../../kit/index.js';
import type { FieldSchema } from '../core/field-schema.js';
import { ApprovalRouteDto } from './approval-route.dto.js';
import { LayoutDto } from './layout.dto.js';
import { LifecycleDto } from './lifecycle.dto.js';
import { NumberingDto } from './numbering.dto.js';
import { ObligationRuleDto } from './obligation-rule.dto.js';
import { StandardSendingDto } from './sending.dto.js';
import { SignaturePartyDto } from './signature-party.dto.js';

export const AUTO_RUNS = ['summary', 'risks'] as const;

/** BCP 47, limited to language, script and region. */
export const LANGUAGE = {
  example: 'en',
  pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$',
  maxLength: 12,
  required: false,
  default: 'en',
} as const;

/** The rules of a type for its documents. Published versions never change. */
export class TypeDefinitionDto {
  @Field.string({
    description: 'Language of the documents, BCP 47.',
    ...LANGUAGE,
  })
  language: string;

  @Field.map({
    description:
      'JSON Schema 2020-12 of data_values: one object with scalar properties and arrays of flat objects; ' +
      'x-label, x-order, x-format (money, phone, party, user, image or a barcode); ' +
      'x-total on a number column adds a row with its sum to the table; ' +
      'x-calculated is an expression that gives the value, such as quantity * price.',
    example: {
      type: 'object',
      properties: {
        customer_name: { type: 'string', 'x-label': 'Customer' },
        customer_email: { type: 'string', format: 'email' },
        amount: { type: 'integer', 'x-format': 'money', 'x-currency': 'EUR' },
        starts_on: { type: 'string', format: 'date' },
      },
      required: ['customer_name'],
    },
  })
  field_schema: FieldSchema;

  @Field.boolean({
    summary: true,
    description: 'Whether documents must be approved; a key then cannot finalize them.',
    example: true,
    required: false,
    default: false,
  })
  requires_approval: boolean;

  @Field.boolean({
    description: 'Whether the last approval finalizes the document.',
    example: false,
    required: false,
    default: false,
  })
  finalize_on_approval: boolean;

  @Field.boolean({
    description: 'Whether the submitter of a document may approve it.',
    example: false,
    required: false,
    default: false,
  })
  allow_self_approval: boolean;

  @Field.boolean({
    description: 'Whether a decision needs a comment.',
    example: false,
    required: false,
    default: false,
  })
  require_decision_comment: boolean;

  @Field.object(() => ApprovalRouteDto, {
    description: 'The approvers; null or without steps: every member who may approve documents.',
    example: undefined,
    required: false,
    nullable: true,
  })
  approval_route: ApprovalRouteDto | null;

  @Field.object(() => LifecycleDto, {
    description: "The type's own stages and transitions; null for the standard ones, named after the states.",
    example: null,
    required: false,
    nullable: true,
  })
  lifecycle: LifecycleDto | null;

  @Field.object(() => NumberingDto, {
    description: 'The numbering of documents; null for {TYPE}-{SEQ:5}.',
    example: undefined,
    required: false,
    nullable: true,
  })
  numbering: NumberingDto | null;

  @Field.object(() => SignaturePartyDto, {
    description: 'The parties that sign.',
    example: undefined,
    required: false,
    default: [],
    list: { maxItems: 20, repeats: true },
  })
  signature_parties: SignaturePartyDto[];

  @Field.integer({
    description: 'Days after sending by which all must sign; null for no deadline.',
    example: 14,
    minimum: 1,
    maximum: 365,
    required: false,
    nullable: true,
  })
  signing_days: number | null;

  @Field.object(() => StandardSendingDto, {
    description: 'How its documents are sent, where they do not say it themselves (`sending` of create_document).',
    example: { message: 'Thank you for your order.', warn_days: 2, remind_after_days: 3 },
    required: false,
    nullable: true,
  })
  sending: StandardSendingDto | null;

  @Field.object(() => ObligationRuleDto, {
    description: 'Obligations to create when a document comes into force.',
    example: undefined,
    required: false,
    default: [],
    list: { maxItems: 50, repeats: true },
  })
  obligation_rules: ObligationRuleDto[];

  @Field.oneOf(AUTO_RUNS, {
    description: 'Analyses to run when a document is submitted.',
    example: ['risks'],
    required: false,
    default: [],
    list: { maxItems: 2 },
  })
  ai_auto_run: (typeof AUTO_RUNS)[number][];

  @Field.integer({
    description: 'Months of validity after execution; null for no end.',
    example: 12,
    minimum: 1,
    maximum: 1200,
    required: false,
    nullable: true,
  })
  validity_months: number | null;

  @Field.integer({
    description:
      'Days after their end (executed without an end of validity, declined, rejected, expired, revoked, superseded) after which the ' +
      'contents of documents are erased, of all versions once this one is published; null for never.',
    example: 3650,
    minimum: 1,
    maximum: 36_500,
    required: false,
    nullable: true,
  })
  retention_days: number | null;

  @Field.string({
    description:
      'Markdown without images, code and HTML, with tokens such as {{customer_name}}, {{#table items}}, {{sum items.price}}, ' +
      '{{words price}}, expressions {{price * 1.19}} and sections {{#if price >= 100000}} ... {{else}} ... {{/if}}, ' +
      '{{#each items}} ... {{/each}} and {{#group items by vat_rate}} ... {{/group}}; null for a plain list of all values.',
    example: '# Agreement\n\nbetween us and {{customer_name}}',
    maxLength: 200_000,
    required: false,
    nullable: true,
  })
  template: string | null;

  @Field.object(() => LayoutDto, {
    description: 'The paper, margins, header and footer; null for A4 with the standard ones.',
    example: null,
    required: false,
    nullable: true,
  })
  layout: LayoutDto | null;
}
