import { Field } from '../../../../kit/index.js';

export const CONTENT_FORMATS = ['html', 'pdf', 'text'] as const;

export class ContentQuery {
  @Field.oneOf(CONTENT_FORMATS, {
    description: 'html: a complete page; pdf: for printing; text: the plain text that analyses read and quote.',
    example: 'pdf',
    required: false,
    default: 'html',
  })
  format?: (typeof CONTENT_FORMATS)[number];

  @Field.integer({
    description: 'Revision to read: the current one by default, or an earlier one that was finalized.',
    example: 1,
    minimum: 1,
    required: false,
  })
  revision?: number;
}
