import type { CreateDocumentTypeDto } from '../../types/document-types.dto.js';

/** A document type of the demo workspace with complete sample values. */
export interface DemoDocumentType {
  type: CreateDocumentTypeDto & Required<Pick<CreateDocumentTypeDto, 'field_schema'>>;
  sample: Readonly<Record<string, unknown>>;
}

/** The signatory of the demo's company. */
export const SIGNATORY = { our_signatory: 'Ada Osei', our_signatory_email: 'ada@demo.example' };

/** The fields for the signatory. */
export const SIGNATORY_FIELDS = {
  our_signatory: { type: 'string', minLength: 1, 'x-label': 'Signs for us', 'x-order': 90 },
  our_signatory_email: { type: 'string', format: 'email', 'x-format': 'user', 'x-label': 'Their e-mail', 'x-order': 91 },
} as const;
