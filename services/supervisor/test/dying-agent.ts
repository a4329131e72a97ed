// An agent that ends as soon as it starts, and leaves a mark in its folder each time.
import { appendFileSync } from 'node:fs';

appendFileSync('starts', 'x');
