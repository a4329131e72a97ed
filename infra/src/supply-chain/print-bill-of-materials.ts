import { images } from '../images/images.ts';
import { billOfMaterials } from './bill-of-materials.ts';

/** npm run --silent sbom -- <image>, such as main-api or node: prints its bill of materials (CycloneDX). */
const [name] = process.argv.slice(2);
const image = images.find((one) => one.name === name);
if (image) process.stdout.write(`${await billOfMaterials(image, process.env.SLUICE_VERSION ?? 'dev')}\n`);
else {
  process.stderr.write(`Which image? One of ${images.map((one) => one.name).join(', ')}.\n`);
  process.exitCode = 2;
}
