import { Body, Controller, Post } from '@nestjs/common';
import { Ctx, Endpoint, SentFiles, type SentFile } from '../../../../kit/index.js';
import { DocumentImageDto, UploadImageDto } from './images.dto.js';
import { Images, IMAGE_UPLOAD } from './images.service.js';

@Controller('/api/v1/ext/papers/images')
export class ImagesController {
  constructor(private readonly images: Images) {}

  @Post()
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'upload_document_image',
    summary: 'Upload a picture',
    description: 'PNG, JPEG or WebP for fields of x-format image.',
    returns: DocumentImageDto,
    status: 201,
    files: IMAGE_UPLOAD,
  })
  async upload(@Ctx() ctx: Ctx, @Body() body: UploadImageDto, @SentFiles() sent: readonly SentFile[]): Promise<DocumentImageDto> {
    return DocumentImageDto.from(await this.images.upload(ctx, body, sent.at(0)));
  }
}
