/* What a library of a model might hold; built as a shared and as a static one. */
void ModelicaError(const char *string);

double probe(double x) {
  if (x < 0) ModelicaError("negative");
  return 3*x;
}
