import { Field } from '../../../../kit/index.js';

export const CONTENT_FORMATS = ['html', 'pdf', 'text'] as const;

export class ContentQuery {
  @Field.oneOf(CONTENT_FORMATS, {
    description: 'text: as analyses read and quote it.',
    example: 'pdf',
    required: false,
    default: 'html',
  })
  format?: (typeof CONTENT_FORMATS)[number];

  @Field.integer({
    description: 'A finalized one. Default: the current.',
    example: 1,
    minimum: 1,
    required: false,
  })
  revision?: number;

  @Field.string({
    description: 'Of several: id of one, certificate or all. Default: all; of pdf its own content.',
    example: 'all',
    maxLength: 36,
    required: false,
  })
  file?: string;
}
