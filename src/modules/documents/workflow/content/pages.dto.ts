import { Field } from '../../../../kit/index.js';
import { PICTURE_WIDTHS } from '../../engine/pictures/page-pictures.service.js';

export class PageTextQuery {
  @Field.string({
    description: 'The beginning of the SHA-256 of the file that is shown; another file is not found.',
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
