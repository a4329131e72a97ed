/**
 * Of Scalar's API reference only the bundle for browsers is served, which has all that it needs in it: 4 MB in one
 * file. What it was made from is not installed; that would be 240 MB.
 */
module.exports = {
  hooks: {
    readPackage(manifest) {
      if (manifest.name === '@scalar/api-reference') manifest.dependencies = {};
      return manifest;
    },
  },
};
