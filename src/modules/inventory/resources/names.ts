/** Of what a row names by its id, read with the row. */
export const SKU_OF_ITEM = { description: 'SKU of the item. In answers to GET.', example: 'CHAIR-01', required: false } as const;
export const NAME_OF_ITEM = { description: 'Name of the item. In answers to GET.', example: 'Office chair', required: false } as const;
export const CODE_OF_LOCATION = { description: 'Code of the location. In answers to GET.', example: 'MAIN', required: false } as const;
