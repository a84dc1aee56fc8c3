import { Field } from '../../../kit/index.js';

export const CONTENT_FORMATS = ['html', 'pdf', 'text'] as const;

export class ContentQuery {
  @Field.oneOf(CONTENT_FORMATS, {
    description: 'html: a complete page; pdf: for print; text: the words alone, as analyses read and quote them.',
    example: 'pdf',
    required: false,
    default: 'html',
  })
  format?: (typeof CONTENT_FORMATS)[number];
}
