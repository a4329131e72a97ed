import { buildImage, images, megabytes, sizeOverBase, tagOf } from './images.ts';

/** `npm run images -- [names]`: builds the images, or those that are named, and says how large they are. */
const names = process.argv.slice(2);
const unknown = names.filter((name) => !images.some((image) => image.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no image ${unknown.join(', ')}: there are ${images.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}
for (const image of images.filter(({ name }) => names.length === 0 || names.includes(name))) {
  await buildImage(image);
  console.log(`${tagOf(image)}: ${megabytes(await sizeOverBase(tagOf(image)))} over its base`);
}
