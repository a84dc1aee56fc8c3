import { Field } from '../../../../kit/index.js';
import { PICTURE_WIDTHS } from '../../engine/pictures/page-pictures.service.js';

export class PartQuery {
  @Field.integer({
    description: 'Position of the file in the document.',
    example: 2,
    minimum: 1,
    maximum: 21,
    required: false,
    default: 1,
  })
  part?: number;
}

export class DownloadQuery {
  @Field.string({
    description: 'Position of the file in the document, or all for one PDF of all files.',
    example: '2',
    maxLength: 3,
    required: false,
  })
  part?: string;
}

export class PageTextQuery extends PartQuery {
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
