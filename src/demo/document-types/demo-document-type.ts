import type { CreateDocumentTypeDto } from '../../modules/documents/documents.public.js';

/** A type of the demo workspace, and values that make a document of it complete. */
export interface DemoDocumentType {
  type: CreateDocumentTypeDto & Required<Pick<CreateDocumentTypeDto, 'field_schema'>>;
  sample: Readonly<Record<string, unknown>>;
}

/** Who signs for the company of the demo. */
export const SIGNATORY = { our_signatory: 'Ada Osei', our_signatory_email: 'ada@demo.example' };

/** The fields that hold it. */
export const SIGNATORY_FIELDS = {
  our_signatory: { type: 'string', minLength: 1, 'x-label': 'Signs for us', 'x-order': 90 },
  our_signatory_email: { type: 'string', format: 'email', 'x-format': 'user', 'x-label': 'Their e-mail', 'x-order': 91 },
} as const;
