import { Field } from '../../../../kit/index.js';

/** The widths of pictures in pixels: of a phone, of a screen, and of a screen with a high density. */
export const PICTURE_WIDTHS = ['720', '1440', '2160'] as const;

export class PageTextQuery {
  @Field.string({
    description: 'The beginning of the SHA-256 of the file, so that browsers do not show an earlier one.',
    example: '9f86d081884c7d65',
    required: false,
    maxLength: 64,
  })
  file?: string;
}

export class PictureQuery extends PageTextQuery {
  @Field.oneOf(PICTURE_WIDTHS, {
    description: 'Width of the picture in pixels.',
    example: '1440',
    required: false,
    default: '1440',
  })
  width?: (typeof PICTURE_WIDTHS)[number];
}
